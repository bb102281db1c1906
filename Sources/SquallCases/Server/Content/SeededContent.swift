import SquallHTTP
import SquallKernel
import Synchronization

/// The parts of a post by which lists select it.
struct ContentEntry: Equatable {
    var productID: String
    var author: Int
    var hashTags: [String]
}

/// The posts of one app from before the run, each computed from its number.
protocol ContentGenerator: Sendable {
    var count: Int { get }
    /// The entry of a post in lists; its hashtags are those of its content.
    func entry(_ index: Int) -> ContentEntry
    /// What its author wrote. `idOf` names another post of the same generator.
    func draft(_ index: Int, idOf: (Int) -> ObjectID) -> Post.Draft
}

/// Every post from before the run: one app's after another's, in the month before it.
///
/// Nothing is kept but the generators, so that a million posts cost no memory until they are read.
struct SeededContent: Sendable {
    private let parts: [(first: Int, generator: any ContentGenerator)]
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
        func posts(_ count: Int, _ name: StaticString) -> CommunityPosts {
            CommunityPosts(count, name, userCount: userCount, randomness)
        }
        let generators: [any ContentGenerator] = [
            ScrollyContent(plan: plan, randomness: randomness),
            BookContent(posts: posts(plan.bookPosts, "content.books")),
            GiftContent(posts: posts(plan.giftQuestions, "content.gifts")),
            OutfitContent(posts: posts(plan.outfits, "content.outfits")),
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

/// The files from before the run by their paths: sizes and kinds as seen, bytes made on demand.
enum SeededFiles {
    private static let documents = 5

    /// Where a novel's cover lies.
    static func coverPath(_ novel: Int) -> String {
        "uploads/posts/novel_cover_\(novel)_1724434004933.jpg"
    }

    /// Where an episode's document lies; five documents serve all episodes in turn.
    static func documentPath(_ episode: Int) -> String {
        "uploads/posts/novel_m\(episode % documents + 1)_1724773384035.pdf"
    }

    /// Where a picture of a post lies.
    static func picturePath(_ number: Int, _ fileExtension: String) -> String {
        "uploads/posts/picture_\(number)_1724434004933.\(fileExtension)"
    }

    /// Where a user's portrait lies; one in three never set one.
    static func portraitPath(_ user: Int) -> String? {
        user % 3 == 2 ? nil : "uploads/profiles/portrait_\(user)_1724434004933.png"
    }

    /// The file at a path below `uploads/`, if there is one.
    static func blob(at path: Substring) -> Blob? {
        var path = path
        return path.withUTF8(blob(named:))
    }

    /// The file below `uploads/` by the bytes of its path, if there is one.
    static func blob(named name: UnsafeBufferPointer<UInt8>) -> Blob? {
        // The most frequent first.
        if let number = number(in: name, after: "posts/novel_cover_") {
            return Blob(
                magic: jpeg, seed: 1_000 &+ number, count: 56_000 + Int(number % 20) * 4_650)
        }
        if let number = number(in: name, after: "posts/novel_m") {
            guard number > 0, number <= documents else { return nil }
            return Blob(magic: pdf, seed: number, count: 109_000 + Int(number) * 29_000)
        }
        if let number = number(in: name, after: "profiles/portrait_") {
            return Blob(
                magic: png, seed: 2_000_000 &+ number, count: 20_000 + Int(number % 20) * 2_000)
        }
        guard let number = number(in: name, after: "posts/picture_") else { return nil }
        return Blob(
            magic: name.suffix(3).elementsEqual("png".utf8) ? png : jpeg,
            seed: 1_000_000 &+ number, count: 150_000 + Int(number % 50) * 12_000)
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
    private static let png = Array("\u{89}PNG".utf8.dropFirst())
    private static let pdf = Array("%PDF-1.7\n".utf8)

    /// The number behind a prefix; byte by byte, as each picture of each screen asks.
    private static func number(
        in name: UnsafeBufferPointer<UInt8>, after prefix: StaticString
    ) -> UInt64? {
        let (first, text) = (prefix.utf8CodeUnitCount, prefix.utf8Start)
        guard name.count > first else { return nil }
        for position in 0..<first where name[position] != text[position] { return nil }
        var (place, number) = (first, UInt64(0))
        while place < name.count, name[place] &- UInt8(ascii: "0") < 10 {
            let (tens, isLarge) = number.multipliedReportingOverflow(by: 10)
            let digit = UInt64(name[place] &- UInt8(ascii: "0"))
            let (sum, isLarger) = tens.addingReportingOverflow(digit)
            guard !isLarge, !isLarger else { return nil }
            (place, number) = (place + 1, sum)
        }
        return place > first ? number : nil
    }
}

/// The lists that contain posts from before the run.
///
/// Worlds that differ only in what happens in them, as in an exploration, have the same lists. The
/// latest are kept, because making them takes longer than playing a small world.
final class SeededLists: Sendable {
    /// The inputs that content is made from; the same origin makes the same content.
    struct Origin: Hashable {
        let plan: ContentPlan
        let userCount: Int
        let randomness: RandomStream
    }

    /// The numbers of the posts of each list, in order of creation.
    let all: [PostStore.Selection: [Int32]]
    private let identifiers = Mutex<[Int: BodyChunk]>([:])

    private static let latest = Mutex<(origin: Origin, lists: SeededLists)?>(nil)

    /// The lists of a content; incomplete when `isStopped` said so meanwhile.
    static func of(_ content: SeededContent, _ isStopped: () -> Bool) -> SeededLists {
        let known = latest.withLock { $0?.origin == content.origin ? $0?.lists : nil }
        if let known { return known }
        let lists = SeededLists(content, isStopped)
        guard !isStopped() else { return lists }
        latest.withLock { $0 = (content.origin, lists) }
        return lists
    }

    private static let looksEach = 4_096

    private init(_ content: SeededContent, _ isStopped: () -> Bool) {
        var lists: [PostStore.Selection: [Int32]] = [:]
        for number in 0..<content.count {
            if number % Self.looksEach == 0, isStopped() { break }
            let entry = content.entry(number)
            for selection in PostStore.selections(entry.productID, entry.author, entry.hashTags) {
                lists[selection, default: []].append(Int32(number))
            }
        }
        all = lists
    }

    /// The identifiers of an author's posts as elements of a JSON list, made once.
    func identifiers(of author: Int, _ make: () -> BodyChunk) -> BodyChunk {
        if let known = identifiers.withLock({ $0[author] }) { return known }
        let made = make()
        identifiers.withLock { $0[author] = made }
        return made
    }
}
