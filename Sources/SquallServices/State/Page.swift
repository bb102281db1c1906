import SquallHTTP

/// The part of a list that a request asks for.
struct PageWindow {
    /// The last post of the page before; `nil` for the first page.
    var cursor: ObjectID?
    /// How many posts at the most.
    var limit: Int
}

/// Some posts of a list, by their numbers, and the cursor of the next ones.
struct Page {
    var posts: [Int32] = []
    var nextCursor: ObjectID?

    /// The text behind the last post, with a cursor of the next page.
    static func closing(_ cursor: String) -> BodyChunk {
        BodyChunk("],\"next_cursor\":\"\(cursor)\"}")
    }

    static let opening = BodyChunk("{\"data\":[")
    static let comma = BodyChunk(",")
    /// The text behind the last post of a list.
    static let lastClosing = closing("0")
}

/// The posts a user likes, in order of liking.
///
/// A post keeps its moment after the like is taken back, so that a page which ended with it can be
/// followed by the next one.
struct LikedList {
    private(set) var posts: [Int32] = []
    private var moments: [Int32] = []
    private var momentOfPost: [Int32: Int32] = [:]
    private var nextMoment: Int32 = 0

    /// Puts a post at the end of the list, or takes it out.
    mutating func set(_ isLiked: Bool, _ post: Int32) {
        guard isLiked else { return remove(post) }
        posts.append(post)
        moments.append(nextMoment)
        momentOfPost[post] = nextMoment
        nextMoment += 1
    }

    /// Takes a post out.
    mutating func remove(_ post: Int32) {
        guard let moment = momentOfPost[post] else { return }
        let position = moments.position(notBelow: moment)
        guard position < posts.count, posts[position] == post else { return }
        posts.remove(at: position)
        moments.remove(at: position)
    }

    /// How many posts were liked before this one; `nil` when it never was.
    func position(of post: Int32) -> Int? {
        momentOfPost[post].map { moments.position(notBelow: $0) }
    }
}

extension [Int32] {
    /// The first position of an ascending list whose element is not below a number.
    func position(notBelow number: Int32) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Puts a number into an ascending list, unless it is there.
    mutating func insertAscending(_ number: Int32) {
        // Nearly always the newest number of all.
        guard let last, last >= number else { return append(number) }
        let position = position(notBelow: number)
        if self[position] != number { insert(number, at: position) }
    }

    /// Takes a number out of an ascending list.
    mutating func removeAscending(_ number: Int32) {
        let position = position(notBelow: number)
        if position < count, self[position] == number { remove(at: position) }
    }
}
