import SquallHTTP

/// The encodings of posts that were read lately, by post and year.
///
/// A full cache is emptied: the hot posts are back after one reading each, and whoever scrolls
/// through a million posts does not leave a gigabyte behind.
struct EncodingCache {
    private struct Entry {
        let chunk: BodyChunk
        /// Whose names and pictures it shows.
        let shown: [Int32]
        /// As of when it shows them.
        var usersVersion: Int
    }

    private static let countMax = 50_000
    private let isOn: Bool
    private var entries: [Int64: Entry] = [:]

    init(isOn: Bool) { self.isOn = isOn }

    /// The encoding of a post, if it is known and nobody in it has another name by now.
    mutating func chunk(_ post: Int32, _ year: ContractYear, _ users: Users) -> BodyChunk? {
        let key = key(post, year)
        guard let entry = entries[key] else { return nil }
        guard entry.usersVersion != users.version else { return entry.chunk }
        let isStale = entry.shown.contains { users.hasChanged($0, since: entry.usersVersion) }
        guard !isStale else { return nil }
        entries[key]?.usersVersion = users.version
        return entry.chunk
    }

    /// Keeps an encoding that shows some users.
    mutating func keep(
        _ chunk: BodyChunk, _ post: Int32, _ year: ContractYear, showing shown: [Int32],
        _ users: Users
    ) {
        guard isOn else { return }
        if entries.count >= EncodingCache.countMax { entries.removeAll(keepingCapacity: true) }
        entries[key(post, year)] = Entry(
            chunk: chunk, shown: shown, usersVersion: users.version)
    }

    /// Forgets a post that has changed.
    mutating func drop(_ post: Int32) {
        for year in ContractYear.allCases { entries[key(post, year)] = nil }
    }

    private func key(_ post: Int32, _ year: ContractYear) -> Int64 {
        Int64(post) << 1 | (year == .year2023 ? 1 : 0)
    }
}
