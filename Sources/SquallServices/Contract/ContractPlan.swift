/// What can be said of the contract.
public struct ContractPlan: Sendable {
    /// Which protocols the server speaks.
    public var years: [ContractYear]
    /// What there is to read.
    public var content: ContentPlan
    /// Whether a post's encoding is kept until the post changes; no byte of an answer depends on
    /// it.
    public var cachesEncodings: Bool

    /// A plan in which everything is said.
    public init(years: [ContractYear], content: ContentPlan, cachesEncodings: Bool) {
        self.years = years
        self.content = content
        self.cachesEncodings = cachesEncodings
    }

    /// The keys of the projects it serves; one app has one.
    static let serviceKeys = [
        "scrolly-key", "thisbook-key", "shared-key", "ootd-key",
    ]
}

/// What there is to read.
public struct ContentPlan: Sendable {
    /// How many novels.
    public var novels: Int
    /// How many episodes the shortest and the longest novel have.
    public var episodesPerNovel: ClosedRange<Int>
    /// How many posts about books, for 이책저책.
    public var bookPosts: Int
    /// How many questions about presents, for Share.D.
    public var giftQuestions: Int
    /// How many outfits, for OOTD.
    public var outfits: Int

    /// Content in which everything is said.
    public init(
        novels: Int, episodesPerNovel: ClosedRange<Int>, bookPosts: Int, giftQuestions: Int,
        outfits: Int
    ) {
        self.novels = novels
        self.episodesPerNovel = episodesPerNovel
        self.bookPosts = bookPosts
        self.giftQuestions = giftQuestions
        self.outfits = outfits
    }
}
