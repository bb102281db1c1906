import SquallClient
import SquallHTTP

/// Every call of Scrolly's router that one of its screens makes.
enum ScrollyTarget: Sendable {
    case login(email: String, password: String)
    case validateEmail(String)
    case join(ScrollyJoinQuery)
    case refresh
    case posts(limit: Int, productID: String)
    case hashtags(next: String?, limit: Int, productID: String, hashTag: String)
    case post(id: String)
    case file(path: String)
    case uploadFiles
    case comment(postID: String, content: String)
    case deleteComment(postID: String, commentID: String)
    case like2(postID: String, Bool)
    case likes2(next: String?, limit: Int)
    case payment(impUID: String, postID: String)

    var method: HTTPMethod {
        switch self {
        case .login, .validateEmail, .join, .uploadFiles, .comment, .like2, .payment: .post
        case .deleteComment: .delete
        case .refresh, .posts, .hashtags, .post, .file, .likes2: .get
        }
    }

    var path: String {
        switch self {
        case .login: "/v1/users/login"
        case .validateEmail: "/v1/validation/email"
        case .join: "/v1/users/join"
        case .refresh: "/v1/auth/refresh"
        case .posts: "/v1/posts"
        case .hashtags: "/v1/posts/hashtags"
        case .post(let id): String(joining: "/v1/posts/", id)
        case .file(let path): String(joining: "/v1/", path)
        case .uploadFiles: "/v1/posts/files"
        case .comment(let id, _): String(joining: "/v1/posts/", id, "/comments")
        case .deleteComment(let id, let comment):
            String(joining: "/v1/posts/", id, "/comments/", comment)
        case .like2(let id, _): String(joining: "/v1/posts/", id, "/like-2")
        case .likes2: "/v1/posts/likes-2/me"
        case .payment: "/v1/payments/validation"
        }
    }

    /// Whether the call needs no token.
    var isOpen: Bool {
        switch self {
        case .login, .validateEmail, .join: true
        default: false
        }
    }

    /// The query with its names in alphabetical order, as Alamofire writes it; absent values are
    /// left out.
    var query: String? {
        switch self {
        case .posts(let limit, let productID):
            String(joining: "limit=", String(limit), "&product_id=", productID)
        case .hashtags(let next, let limit, let productID, let hashTag):
            String(
                joining: "hashTag=", hashTag.percentEncoded(allowing: \.isUnreservedInURL),
                "&limit=", String(limit), next == nil ? "" : "&next=", next ?? "", "&product_id=",
                productID)
        case .likes2(let next, let limit):
            String(joining: "limit=", String(limit), next == nil ? "" : "&next=", next ?? "")
        default: nil
        }
    }

    /// `nil` for a call without a body.
    func body() throws -> Body? {
        switch self {
        case .login(let email, let password): try LSLPBody.login(email: email, password: password)
        case .validateEmail(let email): try LSLPBody.validateEmail(email)
        case .join(let query): try JSONBody.encode(query)
        case .comment(_, let content): try LSLPBody.comment(content)
        case .like2(_, let status): try LSLPBody.like(status)
        case .payment(let impUID, let postID):
            try LSLPBody.payment(impUID: impUID, postID: postID)
        default: nil
        }
    }
}

struct ScrollyJoinQuery: Encodable, Sendable {
    let email: String
    let password: String
    let nick: String
    let phoneNum: String
    /// The user's age, not a date: years, months and days, each written as an optional.
    let birthDay: String
}

/// A call with the device's tokens in its headers.
///
/// The storage is read whenever the request is built, so a retried call carries the newest token.
///
/// A class, because as a structure it would be copied into a box of its own.
final class ScrollyRequest: URLRequestConvertible {
    private let target: ScrollyTarget
    private let storage: ScrollyStorage

    init(target: ScrollyTarget, storage: ScrollyStorage) {
        self.target = target
        self.storage = storage
    }

    func asURLRequest() throws -> URLRequest {
        let url = WebURL(
            origin: ScrollyConstants.origin, path: target.path, query: target.query)
        var request = URLRequest(url: url, method: target.method, headers: headers)
        if let body = try target.body() { request.body = body }
        return request
    }

    private var headers: HTTPHeaders {
        if target.isOpen {
            return ["SesacKey": ScrollyConstants.key, "Content-Type": "application/json"]
        }
        var headers = storage.headers
        if case .refresh = target {
            headers.add(name: "Refresh", value: storage.tokens.refresh)
        } else if target.method == .post {
            headers.add(.contentType("application/json"))
        }
        return headers
    }
}

/// The app's constants; their real values were never published, so these are ours.
enum ScrollyConstants {
    static let origin = LSLP.origin2024
    static let key = LSLP.Key.scrolly
    static let novels = "novelInfo"
    static let episodes = "novelEpisode"
    static let waitingFree = "waitingFree"
    static let tabs = ["male", "female", "fantasy", "romance"]
    static let merchantPrefix = "scrolly_"
}
