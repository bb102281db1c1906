public import SquallHTTP

/// One row of the contract: a call's name and place in a year.
public struct Operation: Sendable {
    /// The protocol it belongs to.
    public let year: ContractYear
    /// The verb.
    public let method: HTTPMethod
    /// The path with its variables in braces: `/v1/posts/{post_id}`.
    public let path: String
    /// The name it has in results.
    public let name: ContractCall

    /// The tokens that a request has to show besides the key.
    public enum Access: Sendable {
        /// No token.
        case open
        /// The access token, which may have expired, and the refresh token.
        case refreshToken
        /// The access token.
        case accessToken
    }

    /// Every row, year by year.
    public static let all: [Operation] = year2023 + year2024

    /// The names of a year's rows: responding to a call needs no more, and copies no row.
    static func calls(of year: ContractYear) -> [ContractCall] {
        year == .year2023 ? calls2023 : calls2024
    }

    private static let calls2023 = year2023.map(\.name)
    private static let calls2024 = year2024.map(\.name)

    /// The tokens that a request has to show besides the key.
    public var access: Access { name.access }
}

extension Operation: CustomStringConvertible {
    /// The verb and the path.
    public var description: String { "\(method) \(path)" }
}

/// The calls of both years, in the order of their description: the protocol of November 2023, which
/// had no version in its paths, and that of August 2024.
extension Operation {
    static let year2023 = rows.compactMap { row in
        row.old.map { Operation(year: .year2023, method: row.method, path: $0, name: row.name) }
    }
    static let year2024 = rows.compactMap { row in
        row.new.map { Operation(year: .year2024, method: row.method, path: $0, name: row.name) }
    }

    /// A call with its path in 2023 and in 2024; `nil` where the year does not have it.
    private typealias Row = (method: HTTPMethod, old: String?, new: String?, name: ContractCall)

    private static let rows: [Row] = [
        (.post, "/join", "/v1/users/join", .join),
        (.post, "/validation/email", "/v1/validation/email", .validateEmail),
        (.post, "/login", "/v1/users/login", .login),
        (.get, "/refresh", nil, .refresh),
        (.get, nil, "/v1/auth/refresh", .refresh),
        (.get, "/withdraw", "/v1/users/withdraw", .withdraw),
        (.get, "/profile/me", "/v1/users/me/profile", .profile),
        (.put, "/profile/me", "/v1/users/me/profile", .editProfile),
        (.get, "/profile/{user_id}", "/v1/users/{user_id}/profile", .otherProfile),
        (.post, nil, "/v1/posts/files", .uploadFiles),
        (.post, "/post", nil, .createPost),
        (.post, nil, "/v1/posts", .createPost),
        (.get, "/post", "/v1/posts", .posts),
        (.get, "/post/{post_id}", "/v1/posts/{post_id}", .post),
        (.put, "/post/{post_id}", nil, .editPost),
        (.put, nil, "/v1/posts/{post_id}", .editPost),
        (.delete, "/post/{post_id}", nil, .deletePost),
        (.delete, nil, "/v1/posts/{post_id}", .deletePost),
        (.get, "/post/user/{user_id}", "/v1/posts/users/{user_id}", .userPosts),
        (.get, "/post/hashTag", "/v1/posts/hashtags", .hashtags),
        (.get, "/uploads/{path}", "/v1/uploads/{path}", .file),
        (.post, "/post/{post_id}/comment", "/v1/posts/{post_id}/comments", .createComment),
        (
            .put, "/post/{post_id}/comment/{comment_id}",
            "/v1/posts/{post_id}/comments/{comment_id}", .editComment
        ),
        (.delete, "/post/{post_id}/comment/{comment_id}", nil, .deleteComment),
        (.delete, nil, "/v1/posts/{post_id}/comments/{comment_id}", .deleteComment),
        (.post, "/post/like/{post_id}", nil, .like),
        (.post, nil, "/v1/posts/{post_id}/like", .like),
        (.post, nil, "/v1/posts/{post_id}/like-2", .like2),
        (.get, "/post/like/me", "/v1/posts/likes/me", .likes),
        (.get, nil, "/v1/posts/likes-2/me", .likes2),
        (.post, "/follow/{user_id}", "/v1/follow/{user_id}", .follow),
        (.delete, "/follow/{user_id}", "/v1/follow/{user_id}", .unfollow),
        (.post, nil, "/v1/payments/validation", .validatePayment),
        (.get, nil, "/v1/payments/me", .payments),
    ]
}
