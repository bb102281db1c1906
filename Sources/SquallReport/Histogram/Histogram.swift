/// Counts of non-negative integers, mostly nanoseconds, each exact to one part in a thousand.
///
/// The layout is HdrHistogram's for three significant digits: 2048 unit-wide cells, then 1024 cells
/// for each doubling. It uses integers only, so neither the order of recording nor a split of a run
/// into shards changes a byte of the results.
///
/// ```swift
/// var latency = Histogram()
/// latency.record(1_500_000)
/// latency.value(atPercentile: 99)
/// ```
///
/// Recording costs ≤ 10 ns. Only blocks of 64 cells of which one was hit have memory, from their
/// first value on: of the 20,000 cells up to a second a few hundred are hit.
public struct Histogram: Sendable {
    /// A word with a bit for each cell that is hit, and the count of each cell, block by block in
    /// the order of their first values.
    private var counts: [Int64] = []
    /// Where the counts of each block begin; -1 for a block without.
    private var starts: [Int32] = []
    /// A bit for each block; set if a cell of it is hit.
    private var hits: [UInt64] = []
    /// How many values were recorded.
    public private(set) var count: Int64 = 0
    /// The exact sum of all values.
    private(set) var sum: Int128 = 0
    private var smallest: Int64 = .max
    private var largest: Int64 = 0

    /// An empty histogram.
    public init() {}

    /// The smallest value recorded, exactly; 0 when there is none.
    var minimum: Int64 { count == 0 ? 0 : smallest }

    /// The largest value recorded, exactly; 0 when there is none.
    public var maximum: Int64 { largest }

    /// Counts a value.
    ///
    /// - Precondition: the value is not negative.
    /// - Complexity: O(1), ≤ 10 ns.
    public mutating func record(_ value: Int64) {
        precondition(value >= 0, "cannot record \(value)")
        add(1, to: HistogramLayout.cell(of: value))
        count += 1
        sum += Int128(value)
        if value < smallest { smallest = value }
        if value > largest { largest = value }
    }

    /// Counts a value, as if it were recorded `times` times.
    ///
    /// - Precondition: neither `value` nor `times` is negative.
    /// - Complexity: O(1), ≤ 10 ns.
    public mutating func record(_ value: Int64, times: Int64) {
        precondition(value >= 0 && times >= 0, "cannot record \(value), \(times) times")
        guard times > 0 else { return }
        add(times, to: HistogramLayout.cell(of: value))
        count += times
        sum += Int128(value) * Int128(times)
        smallest = min(smallest, value)
        largest = max(largest, value)
    }

    /// Counts, for each of some moments in ascending order, the time from it to an end.
    ///
    /// Neighbours in one cell cost an addition each: ≤ 1 ns where moments are dense.
    ///
    /// - Precondition: no moment is after the end, and the sum of 64 moments does not overflow.
    public mutating func record(from moments: ArraySlice<Int64>, to end: Int64) {
        var first = moments.startIndex
        while first < moments.endIndex {
            let block = moments[first..<min(first + 64, moments.endIndex)]
            first = block.endIndex
            guard let oldest = block.first, let newest = block.last else { return }
            let cell = HistogramLayout.cell(of: end - newest)
            guard cell == HistogramLayout.cell(of: end - oldest) else {
                for moment in block { record(end - moment) }
                continue
            }
            record(end - oldest)
            record(end - newest, times: Int64(block.count) - 1)
            // Corrects the sum: it counts each moment, not only the two ends.
            let rest = block.reduce(0, &+)
            sum += Int128(newest) * Int128(block.count - 1) + Int128(oldest) - Int128(rest)
        }
    }

    /// Adds all counts of the other histogram; exact, in any order.
    ///
    /// - Complexity: O(cells in use).
    public mutating func merge(_ other: Histogram) {
        other.forEachCell { add($1, to: $0) }
        count += other.count
        sum += other.sum
        smallest = min(smallest, other.smallest)
        largest = max(largest, other.largest)
    }

    /// Sets all counts to zero but keeps the memory.
    ///
    /// - Complexity: O(cells in use).
    mutating func removeAll() {
        for word in hits.indices {
            var left = hits[word]
            while left != 0 {
                let start = Int(starts[word << 6 + left.trailingZeroBitCount])
                var cells = UInt64(bitPattern: counts[start])
                counts[start] = 0
                while cells != 0 {
                    counts[start + 1 + cells.trailingZeroBitCount] = 0
                    cells &= cells - 1
                }
                left &= left - 1
            }
            hits[word] = 0
        }
        count = 0
        sum = 0
        smallest = .max
        largest = 0
    }

    /// The values recorded since an earlier state of the same histogram.
    ///
    /// Counts and sum are exact; the smallest and largest value are known to their cell.
    func since(_ earlier: Histogram) -> Histogram {
        var left = self
        earlier.forEachCell { left.add(-$1, to: $0) }
        var rest = Histogram()
        left.forEachCell { cell, count in
            rest.record(HistogramLayout.lowestValue(of: cell), times: count)
            rest.largest = HistogramLayout.highestValue(of: cell)
        }
        rest.sum = sum - earlier.sum
        rest.smallest = max(smallest, rest.smallest)
        rest.largest = min(largest, rest.largest)
        return rest
    }

    /// The first cell up to which so many values were counted; nil when there are fewer.
    func cell(atRank rank: Int64) -> Int? {
        var reached: Int64 = 0
        return firstCell { _, count in
            reached += count
            return reached >= rank
        }
    }

    /// The cells that were hit, by ascending value.
    public var buckets: [Bucket] {
        var buckets: [Bucket] = []
        forEachCell { cell, count in
            buckets.append(
                Bucket(
                    lowest: HistogramLayout.lowestValue(of: cell),
                    highest: HistogramLayout.highestValue(of: cell), count: count))
        }
        return buckets
    }

    /// Visits the cells that were hit, by ascending value: a few dozen of some thousand.
    func forEachCell(_ body: (_ cell: Int, _ count: Int64) -> Void) {
        _ = firstCell { cell, count in
            body(cell, count)
            return false
        }
    }

    /// The first of the cells that were hit, by ascending value, for which a condition holds.
    private func firstCell(where isMeant: (_ cell: Int, _ count: Int64) -> Bool) -> Int? {
        counts.withUnsafeBufferPointer { counts in
            for word in hits.indices {
                var left = hits[word]
                while left != 0 {
                    let block = word << 6 + left.trailingZeroBitCount
                    let start = Int(starts[block])
                    var cells = UInt64(bitPattern: counts[start])
                    while cells != 0 {
                        let cell = cells.trailingZeroBitCount
                        let count = counts[start + 1 + cell]
                        if count > 0, isMeant(block << 6 + cell, count) { return block << 6 + cell }
                        cells &= cells - 1
                    }
                    left &= left - 1
                }
            }
            return nil
        }
    }

    /// A range of values that the histogram does not distinguish, with their count.
    public struct Bucket: Sendable {
        /// The smallest value counted here.
        public let lowest: Int64
        /// The largest value counted here.
        public let highest: Int64
        /// How many values were counted here; at least one.
        public let count: Int64
    }

    @inline(__always)
    private mutating func add(_ times: Int64, to cell: Int) {
        let block = cell >> 6
        var start = block < starts.count ? starts[block] : -1
        if start < 0 { start = begin(block) }
        let place = Int(start) + 1 + cell & 63
        let count = counts[place] + times
        counts[place] = count
        if count == times {
            counts[Int(start)] |= 1 << Int64(cell & 63)
            hits[block >> 6] |= 1 << UInt64(block & 63)
        }
    }

    private mutating func begin(_ block: Int) -> Int32 {
        // Arrays are appended whole; a debug build appends each element of another collection by
        // itself, which took a twelfth of a small run.
        if block >= starts.count {
            starts += Array(repeating: -1, count: block + 1 - starts.count)
            hits += Array(repeating: 0, count: block >> 6 + 1 - hits.count)
        }
        let start = Int32(counts.count)
        starts[block] = start
        counts += [Int64](repeating: 0, count: 65)
        return start
    }
}

extension Histogram: Equatable {
    /// Equal counts, sums and ends, whatever the order of recording.
    public static func == (left: Histogram, right: Histogram) -> Bool {
        left.numbers == right.numbers
    }

    /// Its content as numbers: both parts of the sum, both ends, then each cell with its count.
    var numbers: [Int64] {
        let (high, low) = sum.quotientAndRemainder(dividingBy: Self.sumBase)
        var numbers = [Int64(high), Int64(low), minimum, maximum]
        forEachCell { numbers += [Int64($0), $1] }
        return numbers
    }

    /// The histogram of its numbers; `nil` for others.
    init?(numbers: [Int64]) {
        guard numbers.count >= 4, numbers.count % 2 == 0 else { return nil }
        for place in stride(from: 4, to: numbers.count, by: 2) {
            let (cell, times) = (numbers[place], numbers[place + 1])
            guard times > 0, (0...HistogramLayout.lastCell).contains(cell) else { return nil }
            record(HistogramLayout.lowestValue(of: Int(cell)), times: times)
        }
        guard count > 0 else { return }
        sum = Int128(numbers[0]) * Self.sumBase + Int128(numbers[1])
        (smallest, largest) = (numbers[2], numbers[3])
    }

    /// Files hold whole numbers below 2⁵³ or so, and a sum may be larger.
    private static let sumBase: Int128 = 1_000_000_000_000_000
}

/// The cell of each value, as in HdrHistogram with three significant digits.
enum HistogramLayout {
    /// Values below this have a cell each: the first power of two that holds 2 × 10³.
    static let unitCells = 2048
    static let cellsPerDoubling = unitCells / 2

    /// The cell of the greatest value.
    static var lastCell: Int64 { Int64(cell(of: .max)) }

    /// The cell of a non-negative value.
    static func cell(of value: Int64) -> Int {
        let doublings = doublings(of: value)
        return doublings * cellsPerDoubling + Int(value >> Int64(doublings))
    }

    /// The smallest value of a cell.
    static func lowestValue(of cell: Int) -> Int64 {
        let doublings = doublings(ofCell: cell)
        return Int64(cell - doublings * cellsPerDoubling) << Int64(doublings)
    }

    /// The largest value of a cell.
    static func highestValue(of cell: Int) -> Int64 {
        lowestValue(of: cell) + (1 << Int64(doublings(ofCell: cell)) - 1)
    }

    /// The number of times that a value must be halved to fit the unit cells.
    private static func doublings(of value: Int64) -> Int {
        53 - (value | Int64(unitCells - 1)).leadingZeroBitCount
    }

    private static func doublings(ofCell cell: Int) -> Int {
        max(0, cell / cellsPerDoubling - 1)
    }
}

extension Histogram {
    /// The arithmetic mean; 0 when nothing was recorded.
    public var mean: Double {
        count == 0 ? 0 : Double(sum) / Double(count)
    }

    /// The standard deviation of the population, from the middles of the cells.
    var standardDeviation: Double {
        // One value has a cell whose middle it need not be.
        guard minimum < maximum else { return 0 }
        let mean = mean
        var squares = 0.0
        forEachCell { cell, count in
            let lowest = HistogramLayout.lowestValue(of: cell)
            let span = HistogramLayout.highestValue(of: cell) - lowest
            let middle = Double(lowest) + Double(span) / 2
            squares += (middle - mean) * (middle - mean) * Double(count)
        }
        return (squares / Double(count)).squareRoot()
    }

    /// The smallest value that at least this share of all values does not exceed.
    ///
    /// As in HdrHistogram the answer is the highest value of its bucket, so at most 0.1 % above the
    /// truth; unlike there it never exceeds the exact maximum. 0 when nothing was recorded.
    ///
    /// - Precondition: `percentile` is in 0…100.
    /// - Complexity: O(cells in use).
    public func value(atPercentile percentile: Double) -> Int64 {
        precondition((0...100).contains(percentile), "there is no percentile \(percentile)")
        guard percentile > 0 else { return minimum }
        let rank = Histogram.rank(atPercentile: percentile, of: count)
        guard let cell = cell(atRank: rank) else { return maximum }
        return min(HistogramLayout.highestValue(of: cell), maximum)
    }

    /// Several percentiles, each as ``value(atPercentile:)`` has it, found in one pass.
    ///
    /// - Precondition: they ascend from above 0.
    func values(atPercentiles percentiles: [Double]) -> [Int64] {
        var (values, reached): ([Int64], Int64) = ([], 0)
        var ranks = percentiles.map { Histogram.rank(atPercentile: $0, of: count) }[...]
        _ = firstCell { cell, count in
            reached += count
            while let rank = ranks.first, rank <= reached {
                values.append(min(HistogramLayout.highestValue(of: cell), maximum))
                ranks.removeFirst()
            }
            return ranks.isEmpty
        }
        return values + ranks.map { _ in maximum }
    }

    /// The rank, from the smallest value, at which a percentile is reached; at least 1.
    static func rank(atPercentile percentile: Double, of count: Int64) -> Int64 {
        // One step down, so that rounding of p/100 cannot push an exact rank to the next value.
        Int64(max(1, (percentile.nextDown * Double(count) / 100).rounded(.up)))
    }
}
