/// An object of the contract's answers.
public struct Schema: Sendable {
    /// The name by which other objects refer to it.
    public let name: String
    /// Its members in the order in which they are written; one that is not required is left out
    /// when it has no value.
    public let members: [Member]

    /// Every object that answers of a year hold, in the order of their names.
    public static func all(of year: ContractYear) -> [Schema] {
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
