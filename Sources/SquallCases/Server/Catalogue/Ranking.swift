import SquallKernel

/// Numbers in ascending order of a key; equal keys in order of the numbers.
///
/// They stand in chunks, so that a change moves at most a chunk of them: a shelf that grows for an
/// hour holds millions.
struct Ranking {
    /// How many numbers stand in a chunk at most.
    private static let chunkMax = 2_048

    private(set) var count: Int
    /// In order; none is empty.
    private var chunks: [[Int32]]
    private let key: @Sendable (Int32) -> UInt64

    init(_ numbers: [Int32], by key: @escaping @Sendable (Int32) -> UInt64) {
        self.key = key
        count = numbers.count
        let sorted = numbers.map { (key($0), $0) }.sorted { $0 < $1 }.map(\.1)
        chunks = stride(from: 0, to: count, by: Self.chunkMax).map { first in
            Array(sorted[first...].prefix(Self.chunkMax))
        }
    }

    /// All of them in order.
    var numbers: [Int32] { Array(chunks.joined()) }

    mutating func insert(_ number: Int32) {
        var (chunk, offset) = place(notBelow: key(number), number)
        if chunk == chunks.count {
            if chunks.isEmpty { chunks.append([]) }
            chunk = chunks.count - 1
            offset = chunks[chunk].count
        }
        chunks[chunk].insert(number, at: offset)
        count += 1
        guard chunks[chunk].count > Self.chunkMax else { return }
        let half = Self.chunkMax / 2
        let upper = Array(chunks[chunk][half...])
        chunks[chunk].removeSubrange(half...)
        chunks.insert(upper, at: chunk + 1)
    }

    mutating func remove(_ number: Int32) {
        let (chunk, offset) = place(notBelow: key(number), number)
        guard chunk < chunks.count, chunks[chunk][offset] == number else { return }
        chunks[chunk].remove(at: offset)
        count -= 1
        if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    }

    /// The number at a position.
    subscript(position: Int) -> Int32 {
        let (chunk, offset) = place(at: position)
        return chunks[chunk][offset]
    }

    /// The numbers at some positions.
    subscript(range: Range<Int>) -> [Int32] {
        guard !range.isEmpty else { return [] }
        var numbers: [Int32] = []
        numbers.reserveCapacity(range.count)
        var (chunk, offset) = place(at: range.lowerBound)
        while numbers.count < range.count {
            numbers += chunks[chunk][offset...].prefix(range.count - numbers.count)
            (chunk, offset) = (chunk + 1, 0)
        }
        return numbers
    }

    /// The numbers of a range; with a stream, items of equal keys stand in an order that it
    /// decides.
    func slice(_ range: Range<Int>, disorder: RandomStream?) -> [Int32] {
        guard let disorder, !range.isEmpty else { return self[range] }
        let (low, high) = (key(self[range.lowerBound]), key(self[range.upperBound - 1]))
        let first = position(notBelow: low, .min)
        let last = position(notBelow: high, .max)
        let mixed = self[first..<last]
            .map { (key($0), disorder.bits(at: UInt64($0)), $0) }.sorted { $0 < $1 }.map(\.2)
        return Array(mixed[range.lowerBound - first..<range.upperBound - first])
    }

    /// The position behind an item.
    func cursor(of number: Int32) -> CatalogueCursor {
        CatalogueCursor(key: key(number), number: number)
    }

    /// The numbers behind a position; `isLast` is true if none follows those.
    func page(
        after cursor: CatalogueCursor?, isRising: Bool, limit: Int, breaksTies: Bool
    ) -> ([Int32], isLast: Bool) {
        if isRising {
            let first = cursor.map {
                position(notBelow: $0.key, breaksTies ? $0.number + 1 : .max)
            }
            let range = (first ?? 0)..<min((first ?? 0) + limit, count)
            return (self[range], range.upperBound == count)
        }
        let end = cursor.map { position(notBelow: $0.key, breaksTies ? $0.number : .min) }
        let range = max(0, (end ?? count) - limit)..<(end ?? count)
        return (self[range].reversed(), range.lowerBound == 0)
    }

    private func position(notBelow wanted: UInt64, _ number: Int32) -> Int {
        let (chunk, offset) = place(notBelow: wanted, number)
        return chunks[..<chunk].reduce(offset) { $0 + $1.count }
    }

    /// The chunk of a position, and where it is in that.
    private func place(at position: Int) -> (chunk: Int, offset: Int) {
        var (chunk, offset) = (0, position)
        while offset >= chunks[chunk].count {
            offset -= chunks[chunk].count
            chunk += 1
        }
        return (chunk, offset)
    }

    /// The first place at or behind a key and number; the end when there is none.
    private func place(notBelow wanted: UInt64, _ number: Int32) -> (chunk: Int, offset: Int) {
        func isBelow(_ other: Int32) -> Bool { (key(other), other) < (wanted, number) }
        let chunk = firstIndex(below: chunks.count) { !isBelow(chunks[$0][chunks[$0].count - 1]) }
        guard chunk < chunks.count else { return (chunk, 0) }
        return (chunk, firstIndex(below: chunks[chunk].count) { !isBelow(chunks[chunk][$0]) })
    }

    /// The first index from which on a condition holds; the bound when it never does.
    private func firstIndex(below bound: Int, where isSo: (Int) -> Bool) -> Int {
        var (low, high) = (0, bound)
        while low < high {
            let middle = (low + high) / 2
            if isSo(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A place in an order: the last item's key and, to tell equals apart, its number.
struct CatalogueCursor: Equatable {
    let key: UInt64
    let number: Int32

    var text: String { "\(key)-\(number)" }
}

extension CatalogueCursor {
    /// Reads a cursor as responses spell it; `nil` when it is none.
    init?(text: String) {
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, let key = UInt64(halves[0]), let number = Int32(halves[1]),
            number >= 0, number < .max
        else { return nil }
        self.init(key: key, number: number)
    }
}
