import SquallClient
import SquallHTTP

/// Every call of Share.D's routers that one of its screens makes.
enum ShareDTarget: Sendable {
    case login(email: String, password: String)
    case join(email: String, password: String, nick: String)
    case validateEmail(String)
    case withdraw
    case myProfile
    case editProfile
    case refresh
    case posts(next: String)
    case ownPosts(userID: String)
    case likedPosts
    case post(id: String)
    case createPost(ShareDQuestion)
    case like(postID: String, Bool)
    case comment(postID: String, content: String)
    case deleteComment(postID: String, commentID: String)
    case payment(impUID: String, postID: String)
    case image(path: String)

    /// Whether the call needs no token.
    var isOpen: Bool {
        switch self {
        case .login, .join, .validateEmail: true
        default: false
        }
    }
}

/// A call with the device's tokens in its headers.
///
/// UserDefaults are read when the request is built, later than the line of code that starts it: a
/// wipe on the next line comes first.
struct ShareDRequest: TargetType {
    static let product = "선물용"

    let target: ShareDTarget
    let storage: ShareDStorage

    var origin: String { LSLP.origin2024 }

    var method: HTTPMethod {
        switch target {
        case .login, .join, .validateEmail, .createPost, .like, .comment, .payment: .post
        case .editProfile: .put
        case .deleteComment: .delete
        default: .get
        }
    }

    var path: String {
        switch target {
        case .login: "/v1/users/login"
        case .join: "/v1/users/join"
        case .validateEmail: "/v1/validation/email"
        case .withdraw: "/v1/users/withdraw"
        case .myProfile, .editProfile: "/v1/users/me/profile"
        case .refresh: "/v1/auth/refresh"
        case .posts, .createPost: "/v1/posts"
        case .ownPosts(let user): "/v1/posts/users/" + user
        case .likedPosts: "/v1/posts/likes/me"
        case .post(let id): "/v1/posts/" + id
        case .like(let id, _): "/v1/posts/" + id + "/like"
        case .comment(let id, _): "/v1/posts/" + id + "/comments"
        case .deleteComment(let id, let comment): "/v1/posts/" + id + "/comments/" + comment
        case .payment: "/v1/payments/validation"
        case .image(let path): "/v1/" + path
        }
    }

    /// The user's own and liked posts are only loaded as first pages, the liked ones with an empty
    /// limit.
    var query: [(name: String, value: String?)] {
        switch target {
        case .posts(let next): [("next", next), ("limit", "5"), ("product_id", Self.product)]
        case .ownPosts: [("next", ""), ("limit", "6"), ("product_id", "")]
        case .likedPosts: [("next", ""), ("limit", "")]
        default: []
        }
    }

    /// Every call declares a JSON body, even without a body.
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [
            "SesacKey": LSLP.Key.shareD, "Content-Type": "application/json",
        ]
        switch target {
        case .login, .join, .validateEmail: break
        case .refresh:
            headers.add(name: "Authorization", value: storage.access)
            headers.add(name: "Refresh", value: storage.refresh)
        default: headers.add(name: "Authorization", value: storage.access)
        }
        return headers
    }

    func body() throws -> Body {
        switch target {
        case .createPost(let question): try JSONBody.encode(question)
        case .validateEmail(let email): try LSLPBody.validateEmail(email)
        case .login(let email, let password): try LSLPBody.login(email: email, password: password)
        case .join(let email, let password, let nick):
            try LSLPBody.join(email: email, password: password, nick: nick)
        case .like(_, let status): try LSLPBody.like(status)
        case .comment(_, let content): try LSLPBody.comment(content)
        case .payment(let impUID, let postID):
            try LSLPBody.payment(impUID: impUID, postID: postID)
        default: .empty
        }
    }
}

/// A question about a product of the shop, as it is sent; the picture stays on its server.
struct ShareDQuestion: Encodable, Sendable {
    let title: String
    let price: Int
    let content: String
    /// The name of the mall.
    let content1: String
    /// Naver's number of the product.
    let content2: String
    let productID = ShareDRequest.product
    /// The address of the product's picture, on another server.
    let files: [String]

    enum CodingKeys: String, CodingKey {
        case title, price, content, content1, content2, files
        case productID = "product_id"
    }
}
