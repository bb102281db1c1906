import SquallKernel

/// What a list needs to know of a post.
struct ContentEntry: Equatable {
    var productID: String
    var author: Int
    var hashTags: [String]
}

/// The posts of one app from before the run, each computed from its number.
protocol ContentGenerator: Sendable {
    /// How many there are.
    var count: Int { get }
    /// What lists say about one; its hashtags are those of its content.
    func entry(_ index: Int) -> ContentEntry
    /// What its author wrote. `idOf` names another post of the same generator.
    func draft(_ index: Int, idOf: (Int) -> ObjectID) -> Post.Draft
}

/// Every post from before the run: one app's after another's, in the month before it.
///
/// Nothing is kept but the generators, so that a million posts cost no memory until they are read.
struct SeededContent: Sendable {
    private let parts: [(first: Int, generator: any ContentGenerator)]
    /// How many posts there are.
    let count: Int
    /// What it was made from.
    let origin: SeededLists.Origin
    /// Between two posts: a minute, or less when a month is too short for that.
    private let spacingMilliseconds: Int64

    /// Where the run begins in the calendar.
    let epoch: Epoch

    private static let month: Int64 = 30 * 86_400_000

    /// The contents that a plan asks for.
    init(
        _ plan: ContentPlan, userCount: Int, epoch: Epoch = .standard, randomness: RandomStream
    ) {
        self.epoch = epoch
        origin = SeededLists.Origin(plan: plan, userCount: userCount, randomness: randomness)
        let generators: [any ContentGenerator] = [
            ScrollyContent(plan: plan, randomness: randomness),
            BookContent(count: plan.bookPosts, userCount: userCount, randomness: randomness),
            GiftContent(count: plan.giftQuestions, userCount: userCount, randomness: randomness),
            OutfitContent(count: plan.outfits, userCount: userCount, randomness: randomness),
        ]
        var first = 0
        parts = generators.map { generator in
            defer { first += generator.count }
            return (first, generator)
        }
        precondition(
            first <= ObjectID.numberMax, "\(first) posts do not fit into their identifiers")
        count = first
        spacingMilliseconds = min(60_000, SeededContent.month / Int64(max(1, first)))
    }

    /// What lists say about a post.
    func entry(_ number: Int) -> ContentEntry {
        let (first, generator) = part(of: number)
        return generator.entry(number - first)
    }

    /// A post in the state before the run.
    func post(_ number: Int) -> Post {
        let (first, generator) = part(of: number)
        let index = number - first
        var draft = generator.draft(index) { id($0 + first) }
        let entry = generator.entry(index)
        draft.productID = entry.productID
        return Post(
            id: id(number), author: entry.author,
            createdAtMilliseconds: createdAtMilliseconds(number), fields: draft)
    }

    /// When a post was made.
    func createdAtMilliseconds(_ number: Int) -> Int64 {
        epoch.milliseconds(at: .start) - SeededContent.month + Int64(number) * spacingMilliseconds
    }

    private func id(_ number: Int) -> ObjectID {
        ObjectID(.post, number: number, second: createdAtMilliseconds(number) / 1_000)
    }

    private func part(of number: Int) -> (first: Int, generator: any ContentGenerator) {
        precondition(number < count, "there are \(count) posts from before the run, not \(number)")
        return parts.last { $0.first <= number && $0.generator.count > 0 } ?? parts[0]
    }
}

/// Finds the hashtags of a text: `#` and everything up to the next white space, in order.
enum Hashtags {
    static func extract(from text: String) -> [String] {
        // Looking for white space looks at whole characters; most texts contain no number sign.
        guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        let words: [Substring] = text.split(whereSeparator: \.isWhitespace)
        return words.filter { $0.first == "#" && $0.count > 1 }.map { String($0.dropFirst()) }
    }
}
