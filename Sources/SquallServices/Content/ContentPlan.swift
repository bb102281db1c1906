/// What there is to read.
public struct ContentPlan: Hashable, Sendable {
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
}
