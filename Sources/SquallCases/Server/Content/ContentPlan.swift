public import SquallServices
public import SquallFormat

/// The posts that there are before the run.
public struct ContentPlan: Hashable, Sendable {
    /// The number of novels.
    public var novels: Int
    /// The number of episodes of the shortest and of the longest novel.
    public var episodesPerNovel: ClosedRange<Int>
    /// The number of posts about books, for 이책저책.
    public var bookPosts: Int
    /// The number of questions about presents, for Share.D.
    public var giftQuestions: Int
    /// The number of outfits, for OOTD.
    public var outfits: Int
}

extension ContentPlan {
    /// The plan as a setting of a profile's backend.
    public static let setting = Setting(
        "content", .section { ContentPlan(&$0) }, otherwise: [:], "What there is to read.")

    private init(_ read: inout SettingsReader) {
        novels = read(
            "novels", .integer(1...100_000), otherwise: 20, "How many novels there are.")
        let shortest = read(
            "episodesPerNovelMin", .integer(1...10_000), otherwise: 10,
            "Episodes of the shortest novel.")
        let longest = read(
            "episodesPerNovelMax", .integer(1...10_000), otherwise: 50,
            "Episodes of the longest novel.")
        episodesPerNovel = shortest...max(shortest, longest)
        bookPosts = read(
            "bookPosts", .integer(0...5_000_000), otherwise: 400,
            "How many posts about books there are, for 이책저책.")
        giftQuestions = read(
            "giftQuestions", .integer(0...5_000_000), otherwise: 200,
            "How many questions about presents there are, for Share.D.")
        outfits = read(
            "outfits", .integer(0...5_000_000), otherwise: 200,
            "How many outfits there are, for OOTD.")
        if read.isSound("episodesPerNovelMin", "episodesPerNovelMax"), shortest > longest {
            read.refuse(
                "episodesPerNovelMax",
                "must be at least episodesPerNovelMin (\(shortest)), got \(longest)")
        }
        checkPostCount(&read)
    }

    /// Every post has a number of six hexadecimal digits in its identifier.
    private func checkPostCount(_ read: inout SettingsReader) {
        guard postsMax > 16_000_000 else { return }
        let path = read.path
        read.report(at: path, "\(path) must be at most 16 000 000 posts, got up to \(postsMax)")
    }

    /// The largest number of posts that it can mean.
    var postsMax: Int {
        novels * (1 + episodesPerNovel.upperBound) + bookPosts + giftQuestions + outfits
    }
}

extension ServicesPlan {
    /// The protocols that the apps' own server speaks, and what it holds.
    public var contract: ContractPlan {
        get {
            var plan = ContractPlan(
                years: self[ContractYear.setting], content: self[ContentPlan.setting],
                cachesEncodings: cachesEncodings)
            plan.epoch = epoch
            return plan
        }
        set {
            self[ContractYear.setting] = newValue.years
            self[ContentPlan.setting] = newValue.content
            cachesEncodings = newValue.cachesEncodings
            epoch = newValue.epoch
        }
    }
}
