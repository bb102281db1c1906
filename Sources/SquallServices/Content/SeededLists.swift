import SquallKernel
import Synchronization

/// The lists that posts from before the run stand in.
///
/// Worlds that differ only in what happens in them, as those of an exploration do, have the same
/// ones. The latest are kept, since making them takes longer than playing a small world.
enum SeededLists {
    typealias Lists = [PostStore.Selection: [Int32]]

    /// What content was made from; the same origin makes the same content.
    struct Origin: Hashable {
        let plan: ContentPlan
        let userCount: Int
        let randomness: RandomStream
    }

    private static let latest = Mutex<(origin: Origin, lists: Lists)?>(nil)

    /// The lists of a content, each in order of creation.
    static func of(_ content: SeededContent) -> Lists {
        guard let origin = content.origin else { return made(of: content) }
        let known = latest.withLock { $0?.origin == origin ? $0?.lists : nil }
        if let known { return known }
        let lists = made(of: content)
        latest.withLock { $0 = (origin, lists) }
        return lists
    }

    private static func made(of content: SeededContent) -> Lists {
        var lists: Lists = [:]
        for number in 0..<content.count {
            let entry = content.entry(number)
            for selection in PostStore.selections(entry.productID, entry.author, entry.hashTags) {
                lists[selection, default: []].append(Int32(number))
            }
        }
        return lists
    }
}
