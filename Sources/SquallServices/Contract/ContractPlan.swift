/// What a profile can say of the contract.
public struct ContractPlan: Sendable {
    /// Which protocols the server speaks.
    public var years = [ContractYear.year2024]
    /// The keys of the projects it serves; one app has one.
    public var serviceKeys = ["scrolly-key", "thisbook-key", "shared-key", "ootd-key"]
    /// What there is to read.
    public var content = ContentPlan()
    /// Whether a post's encoding is kept until the post changes; no byte of an answer depends on
    /// it.
    public var cachesEncodings = true

    /// The defaults.
    public init() {}
}

/// What there is to read.
public struct ContentPlan: Sendable {
    /// How many novels.
    public var novels = 20
    /// How many episodes the shortest and the longest novel have.
    public var episodesPerNovel = 10...50
    /// How many posts about books, for 이책저책.
    public var bookPosts = 400
    /// How many questions about presents, for Share.D.
    public var giftQuestions = 200
    /// How many outfits, for OOTD.
    public var outfits = 200

    /// The defaults: the cardinalities of Scrolly's own seeding tool, and some pages for others.
    public init() {}
}
