import SquallClient
import SquallHTTP

/// Every call of 이책저책's router that one of its screens makes.
enum ThisBookTarget: Sendable {
    case login(email: String, password: String)
    case join(email: String, password: String, nick: String)
    case validateEmail(String)
    case refresh
    case withdraw
    case myProfile
    case editProfile
    case uploadFiles
    case createPost(ThisBookDraft)
    case payment(impUID: String, postID: String)
    case posts(next: String, productID: String)
    case hashtags(next: String, hashTag: String)
    case post(id: String)
    case deletePost(id: String)
    case like(postID: String, Bool)
    case bookmark(postID: String, Bool)
    case comment(postID: String, content: String)
    case deleteComment(postID: String, commentID: String)
    case follow(userID: String)
    case unfollow(userID: String)
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
/// The storage is read when the request is built; the interceptor sets `Authorization` on calls
/// that pass it.
struct ThisBookRequest: TargetType {
    static let pageSize = 10

    let target: ThisBookTarget
    let storage: ThisBookStorage
    /// Whether it is sent without key and token.
    var isPlain = false

    var origin: String { LSLP.origin2024 }

    var method: HTTPMethod {
        switch target {
        case .refresh, .withdraw, .myProfile, .posts, .hashtags, .post, .image: .get
        case .editProfile: .put
        case .deletePost, .deleteComment, .unfollow: .delete
        default: .post
        }
    }

    var path: String {
        switch target {
        case .login: "/v1/users/login"
        case .join: "/v1/users/join"
        case .validateEmail: "/v1/validation/email"
        case .refresh: "/v1/auth/refresh"
        case .withdraw: "/v1/users/withdraw"
        case .myProfile, .editProfile: "/v1/users/me/profile"
        case .uploadFiles: "/v1/posts/files"
        case .createPost, .posts: "/v1/posts"
        case .hashtags: "/v1/posts/hashtags"
        case .post(let id), .deletePost(let id): "/v1/posts/" + id
        case .like(let id, _): "/v1/posts/" + id + "/like"
        case .bookmark(let id, _): "/v1/posts/" + id + "/like-2"
        case .comment(let id, _): "/v1/posts/" + id + "/comments"
        case .deleteComment(let id, let comment): "/v1/posts/" + id + "/comments/" + comment
        case .follow(let user), .unfollow(let user): "/v1/follow/" + user
        case .payment: "/v1/payments/validation"
        case .image(let path): "/v1/" + path
        }
    }

    /// The first page has an empty cursor, not an absent one.
    var query: [(name: String, value: String?)] {
        let limit = String(ThisBookRequest.pageSize)
        return switch target {
        case .posts(let next, let productID):
            [("limit", limit), ("next", next), ("product_id", productID)]
        case .hashtags(let next, let hashTag):
            [("limit", limit), ("next", next), ("hashTag", hashTag)]
        default: []
        }
    }

    var headers: HTTPHeaders {
        guard !isPlain else { return [:] }
        var headers: HTTPHeaders = [
            "SesacKey": LSLP.Key.thisBookThatBook, "Authorization": storage.accessToken,
        ]
        if case .refresh = target {
            headers.add(name: "Refresh", value: storage.refreshToken)
        } else if method == .post {
            headers.add(name: "Content-Type", value: "application/json")
        }
        return headers
    }

    func body() throws -> Body {
        switch target {
        case .validateEmail(let email): try LSLPBody.validateEmail(email)
        case .login(let email, let password): try LSLPBody.login(email: email, password: password)
        case .join(let email, let password, let nick):
            try LSLPBody.join(email: email, password: password, nick: nick)
        case .createPost(let draft): try JSONBody.encode(draft)
        case .like(_, let status), .bookmark(_, let status):
            try LSLPBody.like(status)
        case .comment(_, let content): try LSLPBody.comment(content)
        case .payment(let impUID, let postID):
            try LSLPBody.payment(impUID: impUID, postID: postID)
        default: .empty
        }
    }
}

/// A post as it is sent: text, price, and five books; missing books are empty texts.
struct ThisBookDraft: Encodable, Sendable {
    let title = "tbtb_post"
    let productID: String
    let price: Int
    let content: String
    let books: [String]
    var files: [String] = []

    enum CodingKeys: String, CodingKey {
        case title, price, content, content1, content2, content3, content4, content5, files
        case productID = "product_id"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(productID, forKey: .productID)
        try container.encode(price, forKey: .price)
        try container.encode(content, forKey: .content)
        try container.encode(files, forKey: .files)
        let keys: [CodingKeys] = [.content1, .content2, .content3, .content4, .content5]
        for (index, key) in keys.enumerated() {
            try container.encode(index < books.count ? books[index] : "", forKey: key)
        }
    }
}
