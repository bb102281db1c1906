import SquallClient
import SquallHTTP

/// Every call of OOTD's target that one of its screens makes, in the paths of the 2023 server.
///
/// The app's own file was never published; its validation must accept success codes only, or no 419
/// would ever reach the retrier.
enum OOTDTarget: MoyaTarget {
    case join(email: String, password: String, nick: String)
    case validateEmail(String)
    case login(email: String, password: String)
    case refresh
    case createPost(content: String, Photo)
    case posts(next: String)

    /// Whether the call needs no token.
    var isOpen: Bool {
        switch self {
        case .join, .validateEmail, .login: true
        case .refresh, .createPost, .posts: false
        }
    }

    static let product = "test0204"

    var origin: String { LSLP.origin2023 }

    var method: HTTPMethod {
        switch self {
        case .refresh, .posts: .get
        default: .post
        }
    }

    var path: String {
        switch self {
        case .join: "/join"
        case .validateEmail: "/validation/email"
        case .login: "/login"
        case .refresh: "/refresh"
        case .createPost, .posts: "/post"
        }
    }

    var query: [(name: String, value: String?)] {
        guard case .posts(let next) = self else { return [] }
        return [("next", next), ("limit", "10"), ("product_id", Self.product)]
    }

    /// The interceptor adds the tokens.
    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["SesacKey": LSLP.Key.ootd]
        switch self {
        case .join, .validateEmail, .login:
            headers.add(name: "Content-Type", value: "application/json")
        default: break
        }
        return headers
    }

    var validation: MoyaValidation { .successCodes }

    func body() throws -> Body {
        switch self {
        case .join(let email, let password, let nick):
            try LSLPBody.join(email: email, password: password, nick: nick)
        case .validateEmail(let email): try LSLPBody.validateEmail(email)
        case .login(let email, let password): try LSLPBody.login(email: email, password: password)
        default: .empty
        }
    }

    func fill(_ form: inout MultipartFormData) -> Bool {
        guard case .createPost(let content, let photo) = self else { return false }
        form.append(Body(content), withName: "content")
        form.append(photo.body, withName: "file", fileName: "ootd.jpg", mimeType: "image/jpeg")
        form.append(Body(Self.product), withName: "product_id")
        return true
    }
}

/// A picture of the feed: Kingfisher loads it without the provider, with the token of that moment.
struct OOTDImage: TargetType {
    let file: String
    let token: String

    var origin: String { LSLP.origin2023 }
    var path: String { "/" + file }
    var headers: HTTPHeaders { ["SesacKey": LSLP.Key.ootd, "Authorization": token] }
}
