/// A read-only histogram that takes only as many bytes as its cells in use need.
///
/// The words are those of an HdrHistogram V2 payload: ZigZag LEB128 numbers. A positive number is
/// the count of a cell, a negative one is a number of empty cells.
struct PackedHistogram: Equatable, Sendable {
    /// How many values were recorded.
    let count: Int64
    /// The largest value; to the nearest microsecond in a histogram that was read from a file.
    let maximum: Int64
    /// The encoded cells from the first to the last that was hit.
    let words: [UInt8]

    /// Packs a histogram.
    init(_ histogram: Histogram) {
        var words: [UInt8] = []
        var next = 0
        histogram.forEachCell { cell, count in
            PackedHistogram.append(emptyCells: cell - next, to: &words)
            words.append(zigZag: count)
            next = cell + 1
        }
        self.words = words
        count = histogram.count
        maximum = histogram.maximum
    }

    /// The histogram of words that were read; nil when they are incomplete.
    init?(words: [UInt8], maximum: Int64) {
        var count: Int64 = 0
        var cells = Cells(words)
        while let cell = cells.next() { count += cell.count }
        guard cells.isAtEnd else { return nil }
        self.words = words
        self.count = count
        self.maximum = maximum
    }

    /// Percentiles in whole microseconds, rounded, as files and charts show them; equal for a
    /// histogram in memory and one that was read from a file.
    ///
    /// Each is ``Histogram/value(atPercentile:)``, found without unpacking; all in one pass.
    ///
    /// - Precondition: the percentiles ascend.
    func microseconds(atPercentiles percentiles: [Double]) -> [Int64] {
        var cells = cells
        var (reached, last): (Int64, Int) = (0, 0)
        return percentiles.map { percentile in
            let rank = Histogram.rank(atPercentile: percentile, of: count)
            while reached < rank, let (cell, count) = cells.next() {
                reached += count
                last = cell
            }
            let value = reached < rank ? maximum : HistogramLayout.highestValue(of: last)
            return (min(value, maximum) + 500) / 1_000
        }
    }

    /// Adds its counts to another histogram.
    func add(to histogram: inout Histogram) {
        for (cell, count) in cells {
            histogram.record(HistogramLayout.highestValue(of: cell), times: count)
        }
    }

    /// The cells that were hit, by ascending value.
    var cells: Cells { Cells(words) }

    private static func append(emptyCells count: Int, to words: inout [UInt8]) {
        guard count > 0 else { return }
        words.append(zigZag: count == 1 ? 0 : -Int64(count))
    }

    /// Iterates over the cells that were hit.
    struct Cells: Sequence, IteratorProtocol {
        private let words: [UInt8]
        private var position = 0
        private var cell = 0

        init(_ words: [UInt8]) { self.words = words }

        var isAtEnd: Bool { position == words.count }

        /// The next cell and its count; nil at the end, or where the words are cut off.
        mutating func next() -> (cell: Int, count: Int64)? {
            while let word = words.zigZag(at: &position) {
                guard word <= 0 else {
                    cell += 1
                    return (cell - 1, word)
                }
                cell += Int(Swift.max(1, -word))
            }
            return nil
        }
    }
}

extension [UInt8] {
    /// Appends a number with a magnitude below 2⁵⁵, where LEB128 needs no ninth byte.
    fileprivate mutating func append(zigZag number: Int64) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        while rest >= 0x80 {
            append(UInt8(rest & 0x7f | 0x80))
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Reads a number and advances the position; nil, without advancing, if it is incomplete.
    fileprivate func zigZag(at position: inout Int) -> Int64? {
        guard position < count else { return nil }
        // Most numbers are small and take one byte.
        let first = self[position]
        if first < 0x80 {
            position += 1
            return Int64(first >> 1) ^ -Int64(first & 1)
        }
        var number: UInt64 = 0
        var shift: UInt64 = 0
        for index in position..<Swift.min(count, position + 8) {
            number |= UInt64(self[index] & 0x7f) << shift
            shift += 7
            guard self[index] >= 0x80 else {
                position = index + 1
                return Int64(number >> 1) ^ -Int64(number & 1)
            }
        }
        return nil
    }
}
