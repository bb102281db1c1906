internal import HTTP

/// The encodings of posts that were read lately, by post and generation.
///
/// A full cache is emptied: the hot posts are back after one reading each, and whoever scrolls
/// through a million posts does not leave a gigabyte behind.
struct EncodingCache {
    private struct Entry {
        let chunk: BodyChunk
        /// Which names and pictures of users it shows.
        let usersVersion: Int
    }

    private static let countMax = 50_000
    private let isOn: Bool
    private var entries: [Int64: Entry] = [:]

    init(isOn: Bool) { self.isOn = isOn }

    /// The encoding of a post, if it is known and nobody in it has another name by now.
    func chunk(_ post: Int32, _ generation: Generation, _ usersVersion: Int) -> BodyChunk? {
        guard let entry = entries[key(post, generation)], entry.usersVersion == usersVersion else {
            return nil
        }
        return entry.chunk
    }

    /// Keeps an encoding.
    mutating func keep(
        _ chunk: BodyChunk, _ post: Int32, _ generation: Generation, _ usersVersion: Int
    ) {
        guard isOn else { return }
        if entries.count >= EncodingCache.countMax { entries.removeAll(keepingCapacity: true) }
        entries[key(post, generation)] = Entry(chunk: chunk, usersVersion: usersVersion)
    }

    /// Forgets a post that has changed.
    mutating func drop(_ post: Int32) {
        for generation in Generation.allCases { entries[key(post, generation)] = nil }
    }

    private func key(_ post: Int32, _ generation: Generation) -> Int64 {
        Int64(post) << 1 | (generation == .year2023 ? 1 : 0)
    }
}
