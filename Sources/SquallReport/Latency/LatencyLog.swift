/// How long things took in every interval of a run, by tag: the content of `latency.hlog`.
public struct LatencyLog: Hashable, Sendable {
    /// One tag's latencies in one interval.
    public struct Interval: Hashable, Sendable {
        /// What was measured, a metric's name.
        public let tag: String
        /// When the interval begins, in whole milliseconds.
        public let startNanoseconds: Int64
        /// How long it is, in whole milliseconds.
        public let lengthNanoseconds: Int64
        /// The latencies.
        public let histogram: PackedHistogram

        /// When it ends.
        var endNanoseconds: Int64 { startNanoseconds + lengthNanoseconds }
    }

    /// The intervals in which something was measured, by beginning.
    public let intervals: [Interval]

    /// A log of those intervals.
    public init(intervals: [Interval] = []) {
        self.intervals = intervals
    }

    /// The log with the intervals of another.
    public func merged(with other: LatencyLog) -> LatencyLog {
        let all = (intervals + other.intervals).enumerated().sorted {
            ($0.element.startNanoseconds, $0.offset) < ($1.element.startNanoseconds, $1.offset)
        }
        return LatencyLog(intervals: all.map(\.element))
    }

    /// Everything that a tag measured, whenever it was.
    func total(of tag: String) -> Histogram {
        intervals.filter { $0.tag == tag }.reduce(into: Histogram()) { total, interval in
            interval.histogram.add(to: &total)
        }
    }
}

/// Records latencies as they come, by tag and interval.
///
/// Only the interval that is under way is a full histogram; those that are over are packed, in some
/// hundred bytes each. Time must not go back by more than the current interval.
public struct LatencyRecorder: Sendable {
    private var tags: [String]
    private let intervalNanoseconds: Int64
    private var open: [Histogram]
    /// The interval under way.
    private var start: Int64 = 0
    private var end: Int64
    private var closed: [LatencyLog.Interval] = []

    /// A recorder for those tags, which samples name by their position.
    ///
    /// - Precondition: the interval is whole milliseconds and at least one.
    public init(tags: [String], intervalNanoseconds: Int64) {
        precondition(
            intervalNanoseconds > 0 && intervalNanoseconds % 1_000_000 == 0,
            "an interval must be whole milliseconds, got \(intervalNanoseconds) ns")
        self.tags = tags
        self.intervalNanoseconds = intervalNanoseconds
        open = Array(repeating: Histogram(), count: tags.count)
        end = intervalNanoseconds
    }

    /// Adds a tag, by whose position samples name it.
    public mutating func add(tag: String) -> Int {
        tags.append(tag)
        open.append(Histogram())
        return tags.count - 1
    }

    /// Counts a latency whose end is at that moment.
    ///
    /// - Complexity: O(1), and O(cells in use) once in an interval.
    public mutating func record(_ latency: Int64, inTag tag: Int, atNanoseconds moment: Int64) {
        if moment >= end {
            closed += intervals
            begin(at: moment / intervalNanoseconds * intervalNanoseconds)
        }
        open[tag].record(latency)
    }

    /// Forgets everything before a moment, from whose millisecond on the first interval is counted.
    public mutating func restart(atNanoseconds moment: Int64) {
        closed = []
        begin(at: moment / 1_000_000 * 1_000_000)
    }

    private mutating func begin(at moment: Int64) {
        for tag in open.indices { open[tag].removeAll() }
        start = moment
        end = (moment / intervalNanoseconds + 1) * intervalNanoseconds
    }

    /// Everything so far, the interval under way included.
    public var log: LatencyLog { LatencyLog(intervals: closed + intervals) }

    private var intervals: [LatencyLog.Interval] {
        zip(tags, open).filter { $0.1.count > 0 }.map { tag, histogram in
            LatencyLog.Interval(
                tag: tag, startNanoseconds: start, lengthNanoseconds: end - start,
                histogram: PackedHistogram(histogram))
        }
    }
}
