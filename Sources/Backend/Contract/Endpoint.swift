internal import HTTP

/// The calls the server knows, by the names they have in results.
public enum Endpoint: String, CaseIterable, Sendable {
    /// `POST /v1/users/login`.
    case login
    /// `GET /v1/auth/refresh`.
    case refresh
    /// `GET /v1/posts`.
    case posts
    /// `GET /v1/posts/{post_id}`.
    case post
    /// `GET /v1/posts/hashtags`.
    case hashtags
    /// `POST /v1/posts/{post_id}/comments`.
    case createComment
    /// `DELETE /v1/posts/{post_id}/comments/{comment_id}`.
    case deleteComment
    /// `POST /v1/posts/{post_id}/like`.
    case like
    /// `POST /v1/posts/{post_id}/like-2`.
    case like2
    /// `GET /v1/posts/likes/me`.
    case likes
    /// `GET /v1/posts/likes-2/me`.
    case likes2
    /// `POST /v1/payments/validation`.
    case validatePayment
    /// `GET /v1/payments/me`.
    case payments
    /// `GET /v1/{path}` of a file.
    case file
    /// Anything else.
    case unknown

    /// Whether the call carries an access token that the server checks before anything else.
    var isAuthenticated: Bool {
        switch self {
        case .login, .refresh, .unknown: false
        default: true
        }
    }
}

/// A request as the server understands it: the endpoint and the names in its path.
struct Route {
    let endpoint: Endpoint
    var postID: Substring = ""
    var commentID: Substring = ""

    /// Finds the endpoint of a request by method and path; methods count only where the path does.
    init(_ request: URLRequest) {
        let names = request.url.path.split(separator: "/")
        guard names.first == "v1" else {
            endpoint = .unknown
            return
        }
        let rest = names.dropFirst(2)
        switch names.dropFirst().first {
        case "posts":
            postID = rest.first ?? ""
            endpoint = Route.endpoint(request.method, posts: rest)
            if endpoint == .deleteComment { commentID = rest.last ?? "" }
        case let first: endpoint = Route.endpoint(request.method, first: first ?? "", rest)
        }
    }

    private static func endpoint(
        _ method: HTTPMethod, first: Substring, _ rest: ArraySlice<Substring>
    ) -> Endpoint {
        switch (method, first, rest.first, rest.count) {
        case (.post, "users", "login", 1): .login
        case (.get, "auth", "refresh", 1): .refresh
        case (.get, "uploads", _, 1...): .file
        case (.post, "payments", "validation", 1): .validatePayment
        case (.get, "payments", "me", 1): .payments
        default: .unknown
        }
    }

    private static func endpoint(
        _ method: HTTPMethod, posts names: ArraySlice<Substring>
    ) -> Endpoint {
        switch (method, names.count, names.first, names.dropFirst().first) {
        case (.get, 0, _, _): .posts
        case (.get, 1, "hashtags", _): .hashtags
        case (.get, 1, _, _): .post
        case (.get, 2, "likes", "me"): .likes
        case (.get, 2, "likes-2", "me"): .likes2
        case (.post, 2, _, "comments"): .createComment
        case (.post, 2, _, "like"): .like
        case (.post, 2, _, "like-2"): .like2
        case (.delete, 3, _, "comments"): .deleteComment
        default: .unknown
        }
    }
}
