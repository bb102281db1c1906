import SquallBackend
import SquallHTTP

/// The part of a list that a request asks for.
struct PageWindow {
    /// The last post of the page before; `nil` for the first page.
    var cursor: ObjectID?
    /// The most posts that are sent.
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
/// A post keeps its place after the like is taken back, so that a page which ended with it can be
/// followed by the next one. One array and no table of places: a million users keep one each, most
/// of them with a handful of posts.
struct LikedList {
    /// Each post in order of its latest like; the complement of one that is not liked any more.
    private var places: [Int32] = []

    /// The posts, the latest like last.
    var posts: [Int32] { places.filter { $0 >= 0 } }

    /// Puts a post at the end of the list, or takes it out.
    mutating func set(_ isLiked: Bool, _ post: Int32) {
        guard isLiked else { return remove(post) }
        if let place = place(of: post) { places.remove(at: place) }
        places.append(post)
    }

    /// Takes a post out.
    mutating func remove(_ post: Int32) {
        if let place = places.lastIndex(of: post) { places[place] = ~post }
    }

    /// How many posts were liked before this one; `nil` when it never was.
    func position(of post: Int32) -> Int? {
        place(of: post).map { places[..<$0].count { $0 >= 0 } }
    }

    private func place(of post: Int32) -> Int? {
        places.lastIndex { $0 == post || $0 == ~post }
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

/// The pages of posts that were sent lately, by what was asked for.
///
/// Most people open the same first pages. Such a page is sent again as it is while no list, no post
/// on it and no user's name has changed: reading the query and taking up every post once more costs
/// more than all else about a request. A full memory is emptied.
struct PageMemory {
    final class Known {
        let answer: Answer
        /// The change of the posts, and the version of the users, as of which it is right.
        let change, usersVersion: Int

        fileprivate init(_ answer: Answer, _ change: Int, _ usersVersion: Int) {
            self.answer = answer
            self.change = change
            self.usersVersion = usersVersion
        }
    }

    private struct Key: Hashable {
        /// The row of the contract, and its year.
        let row: Int
        let is2024: Bool
        let query: String
        /// Stands for the query in the hash, which takes a text character by character.
        private let fingerprint: UInt64

        init(_ call: Call) {
            row = call.route.row
            is2024 = call.year == .year2024
            query = call.request.url.query ?? ""
            fingerprint = query.fingerprint
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(fingerprint &+ UInt64(row * 2 + (is2024 ? 1 : 0)))
        }
    }

    private static let countMax = 2_000
    private let isOn: Bool
    private var known: [Key: Known] = [:]

    init(isOn: Bool) { self.isOn = isOn }

    /// What is known of the page that a call asks for.
    subscript(call: Call) -> Known? { known.isEmpty ? nil : known[Key(call)] }

    /// Keeps a page as of a change of the posts and a version of the users.
    mutating func keep(_ answer: Answer, to call: Call, change: Int, usersVersion: Int) {
        guard isOn else { return }
        if known.count >= PageMemory.countMax { known = [:] }
        known[Key(call)] = Known(answer, change, usersVersion)
    }
}

/// The encodings of posts that were read lately, by post and year.
///
/// A full cache is emptied: popular posts are back after one reading each, and a user that scrolls
/// through a million posts does not leave a gigabyte behind. Posts are numbered without gaps, so a
/// post is found by its number alone: a page asks fifty times.
struct EncodingCache {
    /// An object, so that a look at it counts one reference.
    private final class Entry {
        let chunk: BodyChunk
        /// The users whose names and pictures it shows.
        let shown: [Int32]
        /// The version of those names and pictures.
        @exclusivity(unchecked) var usersVersion: Int

        init(_ chunk: BodyChunk, showing shown: [Int32], _ usersVersion: Int) {
            self.chunk = chunk
            self.shown = shown
            self.usersVersion = usersVersion
        }
    }

    private static let countMax = 50_000
    /// Neighbours share a block, which is made when one of them is first read.
    private static let blockLength = 32
    private let isOn: Bool
    private var blocks: [[Entry?]] = []
    private var count = 0

    init(isOn: Bool) { self.isOn = isOn }

    /// The encoding of a post, if it is known and no user in it has another name by now.
    func chunk(_ post: Int32, _ year: ContractYear, _ users: Users) -> BodyChunk? {
        let (block, place) = EncodingCache.place(post, year)
        guard block < blocks.count, place < blocks[block].count, let entry = blocks[block][place]
        else { return nil }
        if entry.usersVersion != users.version {
            let version = entry.usersVersion
            guard !entry.shown.contains(where: { users.hasChanged($0, since: version) }) else {
                return nil
            }
            entry.usersVersion = users.version
        }
        return entry.chunk
    }

    /// Keeps an encoding that shows some users.
    mutating func keep(
        _ chunk: BodyChunk, _ post: Int32, _ year: ContractYear, showing shown: [Int32],
        _ users: Users
    ) {
        guard isOn else { return }
        if count >= EncodingCache.countMax {
            blocks = []
            count = 0
        }
        let (block, place) = EncodingCache.place(post, year)
        while blocks.count <= block { blocks.append([]) }
        if blocks[block].isEmpty {
            blocks[block] = Array(repeating: nil, count: EncodingCache.blockLength)
        }
        if blocks[block][place] == nil { count += 1 }
        blocks[block][place] = Entry(chunk, showing: shown, users.version)
    }

    /// Forgets a post that has changed.
    mutating func drop(_ post: Int32) {
        for year in ContractYear.allCases {
            let (block, place) = EncodingCache.place(post, year)
            guard block < blocks.count, place < blocks[block].count, blocks[block][place] != nil
            else { continue }
            blocks[block][place] = nil
            count -= 1
        }
    }

    private static func place(_ post: Int32, _ year: ContractYear) -> (block: Int, place: Int) {
        let number = Int(post) << 1 | (year == .year2023 ? 1 : 0)
        return (number / blockLength, number % blockLength)
    }
}
