@testable import SquallCases

/// What the contract promises of a call: the body of its success, and its refusals.
struct ContractPromise {
    let years: [ContractYear]
    let name: ContractCall
    let output: Output
    let refusals: [Refusal]
    let refusals2024: [Refusal]

    /// A body that a call gives.
    enum Output {
        /// A JSON object with the name of its schema.
        case json(String)
        /// No bytes at all.
        case empty
        /// A file.
        case bytes
    }

    private static func row(
        _ year: ContractYear?, _ name: ContractCall, gives output: Output,
        refuses refusals: [Refusal] = [], and2024 more: [Refusal] = []
    ) -> ContractPromise {
        ContractPromise(
            years: year.map { [$0] } ?? ContractYear.allCases, name: name, output: output,
            refusals: refusals, refusals2024: more)
    }

    static let all = [
        row(
            nil, .join, gives: .json("Join"), refuses: [.missingValues, .alreadyJoined],
            and2024: [.nickWithSpace]),
        row(nil, .validateEmail, gives: .json("Message"), refuses: [.missingValues, .emailInUse]),
        row(nil, .login, gives: .json("Login"), refuses: [.missingValues, .unknownCredentials]),
        row(
            .year2023, .refresh, gives: .json("Refresh"),
            refuses: [
                .unverifiableAccessToken, .forbidden, .accessTokenNotExpired, .refreshTokenExpired,
            ]),
        row(
            .year2024, .refresh, gives: .json("Refresh"),
            refuses: [.unverifiableToken, .forbidden, .refreshTokenExpired]),
        row(nil, .withdraw, gives: .json("Withdraw")),
        row(nil, .profile, gives: .json("MyProfile")),
        row(
            nil, .editProfile, gives: .json("MyProfile"), refuses: [.badRequest, .nickInUse],
            and2024: [.nickWithSpace]),
        row(
            nil, .otherProfile, gives: .json("OtherProfile"),
            refuses: [.badRequest, .accountMissing]),
        row(.year2024, .uploadFiles, gives: .json("Files"), refuses: [.badRequest]),
        row(.year2023, .createPost, gives: .json("Post"), refuses: [.badRequest, .postNotCreated]),
        row(.year2024, .createPost, gives: .json("Post"), refuses: [.badRequest, .postNotCreated]),
        row(nil, .posts, gives: .json("PostPage"), refuses: [.badRequest]),
        row(nil, .post, gives: .json("Post"), refuses: [.badRequest, .postMissing]),
        row(
            .year2023, .editPost, gives: .json("Post"),
            refuses: [.badRequest, .editedPostMissing, .editedPostNotOwned]),
        row(
            .year2024, .editPost, gives: .json("Post"),
            refuses: [.badRequest, .editedPostMissing, .editedPostNotOwned]),
        row(
            .year2023, .deletePost, gives: .json("DeletedPost"),
            refuses: [.badRequest, .deletedPostMissing, .deletedPostNotOwned]),
        row(
            .year2024, .deletePost, gives: .empty,
            refuses: [.badRequest, .deletedPostMissing, .deletedPostNotOwned]),
        row(nil, .userPosts, gives: .json("PostPage"), refuses: [.badRequest]),
        row(nil, .hashtags, gives: .json("PostPage"), refuses: [.badRequest]),
        row(nil, .file, gives: .bytes, refuses: [.unknownRoute]),
        row(
            nil, .createComment, gives: .json("Comment"),
            refuses: [.missingContent, .badRequest, .commentedPostMissing, .commentNotCreated]),
        row(
            nil, .editComment, gives: .json("Comment"),
            refuses: [.missingContent, .badRequest, .editedCommentMissing, .editedCommentNotOwned]),
        row(
            .year2023, .deleteComment, gives: .json("DeletedComment"),
            refuses: [.badRequest, .deletedCommentMissing, .deletedCommentNotOwned]),
        row(
            .year2024, .deleteComment, gives: .empty,
            refuses: [.badRequest, .deletedCommentMissing, .deletedCommentNotOwned]),
        row(.year2023, .like, gives: .json("Like"), refuses: [.badRequest, .postMissing]),
        row(.year2024, .like, gives: .json("Like"), refuses: [.badRequest, .postMissing]),
        row(.year2024, .like2, gives: .json("Like"), refuses: [.badRequest, .postMissing]),
        row(nil, .likes, gives: .json("PostPage"), refuses: [.badRequest]),
        row(.year2024, .likes2, gives: .json("PostPage"), refuses: [.badRequest]),
        row(
            nil, .follow, gives: .json("Follow"),
            refuses: [.badRequest, .alreadyFollowing, .accountMissing]),
        row(nil, .unfollow, gives: .json("Follow"), refuses: [.badRequest, .accountMissing]),
        row(
            .year2024, .validatePayment, gives: .json("Payment"),
            refuses: [.missingValues, .invalidPayment, .alreadyValidated, .postMissing]),
        row(.year2024, .payments, gives: .json("PaymentList")),
    ]
}

extension Operation {
    private var promise: ContractPromise? {
        ContractPromise.all.first { $0.name == name && $0.years.contains(year) }
    }

    /// The body of its success, whose status is always 200.
    var output: ContractPromise.Output? { promise?.output }

    /// Takes a form instead of JSON.
    var takesForm: Bool {
        switch name {
        case .editProfile, .uploadFiles: true
        case .createPost, .editPost: year == .year2023
        default: false
        }
    }

    /// Reads `next` and `limit` in its query.
    var isPage: Bool { [.posts, .userPosts, .hashtags, .likes, .likes2].contains(name) }

    /// Every refusal the call can meet.
    var refusals: [Refusal] {
        let token: [Refusal] = [.unverifiableAccessToken, .forbidden, .accessTokenExpired]
        return (promise?.refusals ?? []) + (year == .year2024 ? promise?.refusals2024 ?? [] : [])
            + (access == .accessToken ? token : [])
            + (path.contains("_id}") ? [.serverError] : []) + [.wrongKey, .tooManyCalls]
    }
}

/// A member of a body or a parameter of a query.
struct Member: Sendable, Hashable {
    /// Its name on the wire.
    let name: String
    /// What it holds.
    let type: ValueType
    let isRequired: Bool

    init(_ name: String, _ type: ValueType = .text, isRequired: Bool = true) {
        self.name = name
        self.type = type
        self.isRequired = isRequired
    }

    /// The kinds of value.
    indirect enum ValueType: Sendable, Hashable {
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

/// An object of the contract's answers.
struct Schema: Sendable {
    /// The name by which other objects refer to it.
    let name: String
    /// Its members in the order in which they are written; one that is not required is left out
    /// when it has no value.
    let members: [Member]

    /// Every object that answers of a year hold, in the order of their names.
    static func all(of year: ContractYear) -> [Schema] {
        let schemas = year == .year2023 ? year2023 : year2024
        return schemas.sorted { $0.name < $1.name }
    }

    private init(_ name: String, _ members: [Member]) {
        self.name = name
        self.members = members
    }

    private static let year2024 =
        shared(.year2024) + [
            Schema("Join", account("user_id")), Schema("Withdraw", account("user_id")),
            Schema(
                "Login",
                account("user_id") + [
                    Member("profileImage", isRequired: false), Member("accessToken"),
                    Member("refreshToken"),
                ]),
            Schema(
                "Refresh", [Member("accessToken"), Member("refreshToken", isRequired: false)]),
            Schema("Files", [Member("files", .list(.text))]),
            Schema(
                "Follow",
                [Member("nick"), Member("opponent_nick"), Member("following_status", .flag)]),
            Schema(
                "Payment",
                [
                    Member("buyer_id"), Member("post_id"), Member("merchant_uid"),
                    Member("productName"), Member("price", .integer), Member("paidAt"),
                ]),
            Schema("PaymentList", [Member("data", .list(.object("Payment")))]),
        ]

    private static let year2023 =
        shared(.year2023) + [
            Schema("Join", account("_id")), Schema("Withdraw", account("_id")),
            Schema("Login", [Member("_id"), Member("token"), Member("refreshToken")]),
            Schema("Refresh", [Member("token"), Member("refreshToken", isRequired: false)]),
            Schema("DeletedPost", [Member("_id")]), Schema("DeletedComment", [Member("postID")]),
            Schema(
                "Follow", [Member("user"), Member("following"), Member("following_status", .flag)]),
        ]

    private static func account(_ id: String) -> [Member] {
        [Member(id), Member("email"), Member("nick")]
    }

    /// The objects that both years have, with the member names of one year.
    private static func shared(_ year: ContractYear) -> [Schema] {
        let keys = year.keys
        let creator = [
            Member("\(keys.userID)"), Member("nick"),
            Member("\(keys.profileImage)", isRequired: false),
        ]
        let comment = [
            Member("\(keys.commentID)"), Member("content"), Member("\(keys.createdAt)"),
            Member("creator", .object("Creator")),
        ]
        let page = [Member("data", .list(.object("Post"))), Member("next_cursor")]
        return [
            Schema("Message", [Member("message")]), Schema("Creator", creator),
            Schema("Comment", comment), Schema("Post", post(year)),
            Schema("PostPage", page), Schema("Like", [Member("like_status", .flag)]),
            Schema("MyProfile", profile(keys, isOwn: true)),
            Schema("OtherProfile", profile(keys, isOwn: false)),
        ]
    }

    private static func post(_ year: ContractYear) -> [Member] {
        let keys = year.keys
        let is2024 = year == .year2024
        let texts = Member.texts.filter { $0.name != "product_id" }
        return [Member("\(keys.postID)"), Member("product_id")] + texts
            + (is2024 ? [Member("price", .integer, isRequired: false)] : [])
            + [
                Member("\(keys.createdAt)"), Member("creator", .object("Creator")),
                Member("\(keys.files)", .list(.text)), Member("likes", .list(.text)),
                Member("hashTags", .list(.text)), Member("comments", .list(.object("Comment"))),
            ]
            + (is2024
                ? [Member("likes2", .list(.text)), Member("buyers", .list(.text))] : [])
    }

    private static func profile(_ keys: AnswerKeys, isOwn: Bool) -> [Member] {
        let own = [
            Member("email"), Member("phoneNum", isRequired: false),
            Member("birthDay", isRequired: false),
        ]
        return [Member("\(keys.userID)"), Member("nick")] + (isOwn ? own : [])
            + [
                Member("\(keys.profileImage)", isRequired: false),
                Member("followers", .list(.object("Creator"))),
                Member("following", .list(.object("Creator"))), Member("posts", .list(.text)),
            ]
    }
}

extension Member {
    /// What an author may say about a post.
    static let texts =
        ["product_id", "title", "content"].map { Member($0, isRequired: false) }
        + (1...5).map { Member("content\($0)", isRequired: false) }
}
