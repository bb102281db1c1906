import SquallKernel

/// The novels and episodes that Scrolly's seeding tool would write: fields, tags, prices and files.
///
/// Each novel stands before its episodes; all are the first user's.
struct ScrollyContent: ContentGenerator {
    private let stream: RandomStream
    /// Where each novel stands, and behind the last one the end.
    private let firsts: [Int32]

    init(plan: ContentPlan, randomness: RandomStream) {
        let stream = randomness.stream("content.scrolly")
        self.stream = stream
        let range = plan.episodesPerNovel
        var firsts: [Int32] = [0]
        for novel in 0..<plan.novels {
            let more = stream.integer(below: UInt64(range.count), at: UInt64(novel))
            firsts.append(firsts[novel] + Int32(1 + range.lowerBound) + Int32(more))
        }
        self.firsts = firsts
    }

    var count: Int { Int(firsts[firsts.count - 1]) }

    func entry(_ index: Int) -> ContentEntry {
        let (novel, episode) = place(index)
        return episode == nil
            ? ContentEntry(productID: "novelInfo", author: 0, hashTags: tags(novel))
            : ContentEntry(
                productID: "novelEpisode", author: 0, hashTags: [title(novel), "웹소설"])
    }

    func draft(_ index: Int, idOf: (Int) -> ObjectID) -> Post.Draft {
        let (novel, episode) = place(index)
        guard let episode else { return novelDraft(novel) }
        return episodeDraft(episode, of: novel, parent: idOf(Int(firsts[novel])))
    }

    /// The novel that a post belongs to, and the episode of it; `nil` for the novel itself.
    private func place(_ index: Int) -> (novel: Int, episode: Int?) {
        let novel = firsts.position(notBelow: Int32(index + 1)) - 1
        let offset = index - Int(firsts[novel])
        return (novel, offset == 0 ? nil : offset - 1)
    }

    private func title(_ novel: Int) -> String { "소설_\(novel + 1)" }

    private func tags(_ novel: Int) -> [String] {
        let number = stream.stream(number: UInt64(novel))
        let first = Int(number.integer(below: 4, at: 0))
        let second = (first + 1 + Int(number.integer(below: 3, at: 1))) % 4
        return [
            title(novel), "작가\(novel % 7)", ScrollyContent.tabs[first],
            ScrollyContent.tabs[second],
        ] + (isWaitingFree(novel) ? ["waitingFree"] : [])
    }

    /// A novel: synopsis and tags, the rule by which episodes become free, weekdays, views, rating.
    private func novelDraft(_ novel: Int) -> Post.Draft {
        let number = stream.stream(number: UInt64(novel))
        let tags = tags(novel).map { "#" + $0 }.joined(separator: " ")
        let views = 1_000 + number.integer(below: 5_000_000, at: 2)
        return Post.Draft(
            title: title(novel), content: ScrollyContent.synopsis + tags,
            extra: [
                isWaitingFree(novel) ? "true" : "false", "[1,0,0,1,0,0,0]", "\(views)",
                "9.\(number.integer(below: 10, at: 3)),\(number.integer(below: 9_000, at: 4))",
                "지금 가장 많이 읽는 소설",
            ], files: [SeededFiles.coverPath(novel)])
    }

    /// An episode: the first tenth is free, nine tenths of the rest wait, the last ones are paid.
    private func episodeDraft(_ episode: Int, of novel: Int, parent: ObjectID) -> Post.Draft {
        let count = Int(firsts[novel + 1] - firsts[novel]) - 1
        let free = max(1, count > 25 ? count / 10 : count / 5)
        let waitingEnd = free + (count - free) * 9 / 10
        let isPaid = episode >= free
        let waits = isPaid && episode < waitingEnd
        return Post.Draft(
            title: "\(title(novel)) \(episode + 1)화", price: 100,
            content: "#\(title(novel)) #웹소설",
            extra: [
                "\(episode)", "\(isPaid)", "\(isWaitingFree(novel)),\(waits)", nil, parent.text,
            ], files: [SeededFiles.coverPath(novel), SeededFiles.documentPath(episode)])
    }

    private func isWaitingFree(_ novel: Int) -> Bool { novel % 3 != 2 }

    private static let tabs = ["male", "female", "fantasy", "romance"]
    private static let synopsis = String(repeating: "그날 이후 모든 것이 달라졌다. ", count: 6)
}
