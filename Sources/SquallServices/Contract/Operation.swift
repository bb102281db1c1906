import SquallBackend
public import SquallHTTP

/// One row of the contract: how a call is made, what it takes and gives, and how it is refused.
///
/// Routing, the names in results and the OpenAPI documents all come from these rows.
public struct Operation: Sendable {
    /// The protocol it belongs to.
    public let year: ContractYear
    /// The verb.
    public let method: HTTPMethod
    /// The path, its variable names in braces: `/v1/posts/{post_id}`.
    public let path: String
    /// The name it has in results.
    public let name: ContractCall
    /// What it does, in one sentence.
    public let summary: String
    /// The parameters of its query string.
    public let query: [Member]
    /// The body it takes.
    public let input: Input
    /// The body of its success, whose status is always 200.
    public let output: Output
    /// Its own refusals, without those that its access and its path add.
    public let ownRefusals: [Refusal]

    /// What a request has to show besides the key.
    public enum Access: Sendable {
        /// Nothing.
        case open
        /// The access token, which may have expired, and the refresh token.
        case refreshToken
        /// The access token.
        case accessToken
    }

    /// A body that a call takes.
    public enum Input: Sendable {
        /// None.
        case none
        /// A JSON object.
        case json([Member])
        /// A `multipart/form-data`.
        case form([Member])
    }

    /// A body that a call gives.
    public enum Output: Sendable {
        /// A JSON object with the name of its schema.
        case json(String)
        /// No bytes at all.
        case empty
        /// A file.
        case bytes
    }

    /// Every row, year by year.
    public static let all: [Operation] = year2023 + year2024

    /// The names of a year's rows: answering a call needs no more, and copies no row.
    static func calls(of year: ContractYear) -> [ContractCall] {
        year == .year2023 ? calls2023 : calls2024
    }

    private static let calls2023 = year2023.map(\.name)
    private static let calls2024 = year2024.map(\.name)

    /// What a request has to show besides the key.
    public var access: Access { name.access }

    /// Every refusal the call can meet, in the order of their statuses.
    public var refusals: [Refusal] {
        let common: [Refusal] = [.wrongKey, .tooManyCalls]
        let token: [Refusal] = [.unverifiableAccessToken, .forbidden, .accessTokenExpired]
        let path: [Refusal] = path.contains("_id}") ? [.serverError] : []
        let all = ownRefusals + (access == .accessToken ? token : []) + path + common
        return all.sorted { ($0.status, $0.rawValue) < ($1.status, $1.rawValue) }
    }
}

extension Operation: CustomStringConvertible {
    /// The verb and the path.
    public var description: String { "\(method) \(path)" }
}

/// A member of a body or a parameter of a query.
public struct Member: Sendable, Hashable {
    /// Its name on the wire.
    public let name: String
    /// What it holds.
    public let type: ValueType
    /// Whether it must be there.
    public let isRequired: Bool

    init(_ name: String, _ type: ValueType = .text, isRequired: Bool = true) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }

    /// The kinds of value.
    public indirect enum ValueType: Sendable, Hashable {
        /// A string.
        case text
        /// A whole number.
        case integer
        /// True or false.
        case flag
        /// A file in a form.
        case file
        /// Several values of a kind.
        case list(ValueType)
        /// An object with the name of its schema.
        case object(String)
    }
}

/// The calls of both years, in the order of their description: the protocol of November 2023, which
/// had no version in its paths, and that of August 2024.
extension Operation {
    static let year2023 = rows.filter { $0.year == .year2023 }
    static let year2024 = rows.filter { $0.year == .year2024 }

    private static let rows = Array((accounts + posts + comments + likes + payments).joined())

    /// A call of the years in which it has a path, 2024 with further refusals.
    private static func row(
        _ method: HTTPMethod, _ old: String?, _ new: String?, _ name: ContractCall,
        _ summary: String, query: [Member] = [], takes input: Input = .none, gives output: Output,
        refuses refusals: [Refusal] = [], and2024 more: [Refusal] = []
    ) -> [Operation] {
        let years: [(ContractYear, String?, [Refusal])] = [
            (.year2023, old, refusals), (.year2024, new, refusals + more),
        ]
        return years.compactMap { year, path, refusals in
            path.map {
                Operation(
                    year: year, method: method, path: $0, name: name, summary: summary,
                    query: query, input: input, output: output, ownRefusals: refusals)
            }
        }
    }

    private static let accounts = [
        row(
            .post, "/join", "/v1/users/join", .join, "Make an account.",
            takes: .json(Member.join), gives: .json("Join"),
            refuses: [.missingValues, .alreadyJoined], and2024: [.nickWithSpace]),
        row(
            .post, "/validation/email", "/v1/validation/email", .validateEmail,
            "Ask whether an e-mail is free.", takes: .json([Member("email")]),
            gives: .json("Message"), refuses: [.missingValues, .emailInUse]),
        row(
            .post, "/login", "/v1/users/login", .login, "Sign in.",
            takes: .json([Member("email"), Member("password")]), gives: .json("Login"),
            refuses: [.missingValues, .unknownCredentials]),
        row(
            .get, "/refresh", nil, .refresh, "Buy a new access token for an expired one.",
            gives: .json("Refresh"),
            refuses: [
                .unverifiableAccessToken, .forbidden, .accessTokenNotExpired, .refreshTokenExpired,
            ]),
        row(
            .get, nil, "/v1/auth/refresh", .refresh, "Buy a new access token.",
            gives: .json("Refresh"),
            refuses: [.unverifiableToken, .forbidden, .refreshTokenExpired]),
        row(
            .get, "/withdraw", "/v1/users/withdraw", .withdraw, "End one's account.",
            gives: .json("Withdraw")),
        row(
            .get, "/profile/me", "/v1/users/me/profile", .profile, "Read one's own profile.",
            gives: .json("MyProfile")),
        row(
            .put, "/profile/me", "/v1/users/me/profile", .editProfile,
            "Change one's own profile.", takes: .form(Member.profileForm),
            gives: .json("MyProfile"), refuses: [.badRequest, .nickInUse],
            and2024: [.nickWithSpace]),
        row(
            .get, "/profile/{user_id}", "/v1/users/{user_id}/profile", .otherProfile,
            "Read another user's profile.", gives: .json("OtherProfile"),
            refuses: [.badRequest, .accountMissing]),
    ]

    private static let posts = [
        row(
            .post, nil, "/v1/posts/files", .uploadFiles, "Store files for a post to come.",
            takes: .form([Member("files", .list(.file))]), gives: .json("Files"),
            refuses: [.badRequest]),
        row(
            .post, "/post", nil, .createPost, "Write a post together with its files.",
            takes: .form(Member.post2023), gives: .json("Post"),
            refuses: [.badRequest, .postNotCreated]),
        row(
            .post, nil, "/v1/posts", .createPost, "Write a post.", takes: .json(Member.post2024),
            gives: .json("Post"), refuses: [.badRequest, .postNotCreated]),
        row(
            .get, "/post", "/v1/posts", .posts, "Read a page of all posts.",
            query: Member.page + [Member.product], gives: .json("PostPage"),
            refuses: [.badRequest]),
        row(
            .get, "/post/{post_id}", "/v1/posts/{post_id}", .post, "Read one post.",
            gives: .json("Post"), refuses: [.badRequest, .postMissing]),
        row(
            .put, "/post/{post_id}", nil, .editPost, "Change the members that are given.",
            takes: .form(Member.post2023), gives: .json("Post"),
            refuses: [.badRequest, .editedPostMissing, .editedPostNotOwned]),
        row(
            .put, nil, "/v1/posts/{post_id}", .editPost, "Change the members that are given.",
            takes: .json(Member.post2024), gives: .json("Post"),
            refuses: [.badRequest, .editedPostMissing, .editedPostNotOwned]),
        row(
            .delete, "/post/{post_id}", nil, .deletePost, "Delete one's post.",
            gives: .json("DeletedPost"),
            refuses: [.badRequest, .deletedPostMissing, .deletedPostNotOwned]),
        row(
            .delete, nil, "/v1/posts/{post_id}", .deletePost, "Delete one's post.", gives: .empty,
            refuses: [.badRequest, .deletedPostMissing, .deletedPostNotOwned]),
        row(
            .get, "/post/user/{user_id}", "/v1/posts/users/{user_id}", .userPosts,
            "Read a page of an author's posts.", query: Member.page + [Member.product],
            gives: .json("PostPage"), refuses: [.badRequest]),
        row(
            .get, "/post/hashTag", "/v1/posts/hashtags", .hashtags,
            "Read a page of the posts with a hashtag.",
            query: Member.page + [Member.product, Member("hashTag")], gives: .json("PostPage"),
            refuses: [.badRequest]),
        row(
            .get, "/uploads/{path}", "/v1/uploads/{path}", .file, "Read a file.", gives: .bytes,
            refuses: [.unknownRoute]),
    ]

    private static let comments = [
        row(
            .post, "/post/{post_id}/comment", "/v1/posts/{post_id}/comments", .createComment,
            "Comment on a post.", takes: .json([Member("content")]), gives: .json("Comment"),
            refuses: [.missingContent, .badRequest, .commentedPostMissing, .commentNotCreated]),
        row(
            .put, "/post/{post_id}/comment/{comment_id}",
            "/v1/posts/{post_id}/comments/{comment_id}", .editComment, "Change one's comment.",
            takes: .json([Member("content")]), gives: .json("Comment"),
            refuses: [.missingContent, .badRequest, .editedCommentMissing, .editedCommentNotOwned]),
        row(
            .delete, "/post/{post_id}/comment/{comment_id}", nil, .deleteComment,
            "Delete one's comment.", gives: .json("DeletedComment"),
            refuses: [.badRequest, .deletedCommentMissing, .deletedCommentNotOwned]),
        row(
            .delete, nil, "/v1/posts/{post_id}/comments/{comment_id}", .deleteComment,
            "Delete one's comment.", gives: .empty,
            refuses: [.badRequest, .deletedCommentMissing, .deletedCommentNotOwned]),
    ]

    private static let likes = [
        row(
            .post, "/post/like/{post_id}", nil, .like, "Like a post, or no longer.",
            gives: .json("Like"), refuses: [.badRequest, .postMissing]),
        row(
            .post, nil, "/v1/posts/{post_id}/like", .like, "Set whether one likes a post.",
            takes: .json([Member("like_status", .flag)]), gives: .json("Like"),
            refuses: [.badRequest, .postMissing]),
        row(
            .post, nil, "/v1/posts/{post_id}/like-2", .like2,
            "Set whether one likes a post in the second way.",
            takes: .json([Member("like_status", .flag)]), gives: .json("Like"),
            refuses: [.badRequest, .postMissing]),
        row(
            .get, "/post/like/me", "/v1/posts/likes/me", .likes,
            "Read a page of the posts one likes.", query: Member.page, gives: .json("PostPage"),
            refuses: [.badRequest]),
        row(
            .get, nil, "/v1/posts/likes-2/me", .likes2,
            "Read a page of the posts one likes in the second way.", query: Member.page,
            gives: .json("PostPage"), refuses: [.badRequest]),
        row(
            .post, "/follow/{user_id}", "/v1/follow/{user_id}", .follow, "Follow an account.",
            gives: .json("Follow"), refuses: [.badRequest, .alreadyFollowing, .accountMissing]),
        row(
            .delete, "/follow/{user_id}", "/v1/follow/{user_id}", .unfollow,
            "Stop following an account.", gives: .json("Follow"),
            refuses: [.badRequest, .accountMissing]),
    ]

    private static let payments = [
        row(
            .post, nil, "/v1/payments/validation", .validatePayment, "Book a payment, once.",
            takes: .json([Member("imp_uid"), Member("post_id")]), gives: .json("Payment"),
            refuses: [.missingValues, .invalidPayment, .alreadyValidated, .postMissing]),
        row(
            .get, nil, "/v1/payments/me", .payments, "Read one's payments.",
            gives: .json("PaymentList")),
    ]
}

extension Member {
    static let page = [Member("next", isRequired: false), Member("limit", isRequired: false)]
    static let product = Member("product_id", isRequired: false)

    static let join = [
        Member("email"), Member("password"), Member("nick"),
        Member("phoneNum", isRequired: false), Member("birthDay", isRequired: false),
    ]

    static let profileForm = [
        Member("nick", isRequired: false), Member("phoneNum", isRequired: false),
        Member("birthDay", isRequired: false), Member("profile", .file, isRequired: false),
    ]

    /// What an author may say about a post.
    static let texts =
        ["product_id", "title", "content"].map { Member($0, isRequired: false) }
        + (1...5).map { Member("content\($0)", isRequired: false) }

    static let post2024 =
        texts + [
            Member("price", .integer, isRequired: false),
            Member("files", .list(.text), isRequired: false),
        ]

    static let post2023 = texts + [Member("file", .list(.file), isRequired: false)]
}
