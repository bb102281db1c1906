internal import HTTP
internal import Kernel

/// Writes the novels and episodes that Scrolly's seeding tool would: fields, tags, prices and
/// files.
struct ScrollyContent {
    private let plan: ContentPlan
    private let stream: RandomStream

    init(plan: ContentPlan, randomness: RandomStream) {
        self.plan = plan
        stream = randomness.stream("content.scrolly")
    }

    /// Adds everything, oldest first, in the month before the run.
    func write(into posts: inout PostStore) {
        for novel in 0..<plan.novels {
            let parent = add(novelPost(novel), product: "novelInfo", to: &posts)
            let episodes = episodeCount(of: novel)
            for episode in 0..<episodes {
                let fields = episodePost(episode, of: novel, count: episodes, parent: parent)
                _ = add(fields, product: "novelEpisode", to: &posts)
            }
        }
    }

    private func add(_ fields: Post.Fields, product: String, to posts: inout PostStore) -> ObjectID
    {
        let second = Instant.epochSeconds - 30 * 86_400 + Int64(posts.nextNumber) * 60
        let id = ObjectID(.post, number: posts.nextNumber, second: second)
        posts.add(
            Post(
                id: id, productID: product, author: 0,
                createdAt: Timestamp.text(milliseconds: second * 1_000),
                hashTags: Hashtags.extract(from: fields.content ?? ""), fields: fields))
        return id
    }

    private func episodeCount(of novel: Int) -> Int {
        let range = plan.episodesPerNovel
        return range.lowerBound
            + Int(stream.integer(below: UInt64(range.count), at: UInt64(novel)))
    }

    private func title(_ novel: Int) -> String { "소설_\(novel + 1)" }

    /// A novel: synopsis and tags, whether episodes become free by waiting, weekdays, views,
    /// rating.
    private func novelPost(_ novel: Int) -> Post.Fields {
        let number = stream.stream(number: UInt64(novel))
        let tabs = ["male", "female", "fantasy", "romance"]
        let first = Int(number.integer(below: 4, at: 0))
        let second = (first + 1 + Int(number.integer(below: 3, at: 1))) % 4
        let waits = isWaitingFree(novel)
        let tags =
            [title(novel), "작가\(novel % 7)", tabs[first], tabs[second]]
            + (waits ? ["waitingFree"] : [])
        let synopsis = String(repeating: "그날 이후 모든 것이 달라졌다. ", count: 6)
        let views = 1_000 + number.integer(below: 5_000_000, at: 2)
        return Post.Fields(
            title: title(novel), content: synopsis + tags.map { "#" + $0 }.joined(separator: " "),
            extra: [
                waits ? "true" : "false", "[1,0,0,1,0,0,0]", "\(views)",
                "9.\(number.integer(below: 10, at: 3)),\(number.integer(below: 9_000, at: 4))",
                "지금 가장 많이 읽는 소설",
            ], files: [FileStore.coverPath(novel)])
    }

    /// An episode: the first tenth is free, nine tenths of the rest wait, the last ones are paid.
    private func episodePost(
        _ episode: Int, of novel: Int, count: Int, parent: ObjectID
    ) -> Post.Fields {
        let free = max(1, count > 25 ? count / 10 : count / 5)
        let waitingEnd = free + (count - free) * 9 / 10
        let isPaid = episode >= free
        let waits = isPaid && episode < waitingEnd
        return Post.Fields(
            title: "\(title(novel)) \(episode + 1)화", price: 100,
            content: "#\(title(novel)) #웹소설",
            extra: [
                "\(episode)", "\(isPaid)", "\(isWaitingFree(novel)),\(waits)", nil, parent.text,
            ], files: [FileStore.coverPath(novel), FileStore.documentPath(episode)])
    }

    private func isWaitingFree(_ novel: Int) -> Bool { novel % 3 != 2 }
}

/// Finds the hashtags of a text: `#` and everything up to the next white space, in order.
enum Hashtags {
    static func extract(from text: String) -> [String] {
        let words: [Substring] = text.split(whereSeparator: \.isWhitespace)
        return words.filter { $0.first == "#" && $0.count > 1 }.map { String($0.dropFirst()) }
    }
}

/// The files of the server by their paths: sizes and kinds as seen, content made on demand.
enum FileStore {
    private static let documents = 5

    /// Where a novel's cover lies.
    static func coverPath(_ novel: Int) -> String {
        "uploads/posts/novel_cover_\(novel)_1724434004933.jpg"
    }

    /// Where an episode's document lies; five documents serve all episodes in turn.
    static func documentPath(_ episode: Int) -> String {
        "uploads/posts/novel_m\(episode % documents + 1)_1724773384035.pdf"
    }

    /// The file at a path below `/v1/`, if there is one.
    static func blob(at path: String) -> Blob? {
        let document = "/v1/uploads/posts/novel_m"
        if path.hasPrefix(document), let number = number(in: path.dropFirst(document.count)),
            number > 0, number <= documents
        {
            return Blob(
                magic: Array("%PDF-1.7\n".utf8), seed: number, count: 109_000 + Int(number) * 29_000
            )
        }
        let cover = "/v1/uploads/posts/novel_cover_"
        guard path.hasPrefix(cover), let number = number(in: path.dropFirst(cover.count)) else {
            return nil
        }
        let size = 56_000 + Int(number % 20) * 4_650
        return Blob(magic: [0xFF, 0xD8, 0xFF], seed: 1_000 + number, count: size)
    }

    private static func number(in text: Substring) -> UInt64? {
        UInt64(text.prefix { $0.isNumber })
    }
}
