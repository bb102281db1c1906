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
    /// Searches the external catalogue's products.
    case searchShop
    /// Searches the external catalogue's books.
    case searchBooks
    /// Anything else.
    case unknown
}

/// A request as the server understands it: the endpoint and the names in its path.
struct Route {
    let endpoint: Endpoint
    var postID: Substring = ""
    var commentID: Substring = ""

    /// Finds the endpoint of a request by method and path; methods count only where the path does.
    init(_ request: URLRequest) {
        var names = PathNames(request.url.path)
        guard names.next() == "v1" else {
            endpoint = .unknown
            return
        }
        let (first, second, third) = (names.next(), names.next(), names.next())
        let fourth = names.next()
        guard first == "posts" else {
            endpoint = Route.endpoint(request.method, first, second, third)
            return
        }
        endpoint =
            names.next() == nil
            ? Route.endpoint(request.method, posts: second, third, fourth) : .unknown
        postID = second ?? ""
        commentID = fourth ?? ""
    }

    private static func endpoint(
        _ method: HTTPMethod, _ first: Substring?, _ second: Substring?, _ third: Substring?
    ) -> Endpoint {
        switch (first, second, third) {
        case ("users", "login", nil) where method == .post: .login
        case ("auth", "refresh", nil) where method == .get: .refresh
        case ("uploads", _?, _) where method == .get: .file
        case ("payments", "validation", nil) where method == .post: .validatePayment
        case ("payments", "me", nil) where method == .get: .payments
        default: .unknown
        }
    }

    private static func endpoint(
        _ method: HTTPMethod, posts first: Substring?, _ second: Substring?, _ third: Substring?
    ) -> Endpoint {
        switch (method, second, third) {
        case (.get, nil, _): first.map { $0 == "hashtags" ? .hashtags : .post } ?? .posts
        case (.get, "me", nil) where first == "likes": .likes
        case (.get, "me", nil) where first == "likes-2": .likes2
        case (.post, "comments", nil): .createComment
        case (.post, "like", nil): .like
        case (.post, "like-2", nil): .like2
        case (.delete, "comments", _?): .deleteComment
        default: .unknown
        }
    }
}

/// The names between a path's slashes, one after another; empty ones are skipped.
private struct PathNames {
    private let path: String
    private var position: String.Index

    init(_ path: String) {
        self.path = path
        position = path.startIndex
    }

    mutating func next() -> Substring? {
        let bytes = path.utf8
        while position < bytes.endIndex, bytes[position] == UInt8(ascii: "/") {
            position = bytes.index(after: position)
        }
        guard position < bytes.endIndex else { return nil }
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
        return path[start..<position]
    }
}
