import SquallHTTP

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
