import SquallHTTP
import SquallKernel
import Synchronization

/// The lists that contain posts from before the run.
///
/// Worlds that differ only in what happens in them, as in an exploration, have the same lists. The
/// latest are kept, because making them takes longer than playing a small world.
final class SeededLists: Sendable {
    /// What content was made from; the same origin makes the same content.
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
