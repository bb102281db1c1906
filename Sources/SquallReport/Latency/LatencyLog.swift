import SquallFormat

/// The durations of steps and attempts in every interval of a run, by tag: the content of
/// `latency.hlog`.
public struct LatencyLog: Equatable, Sendable {
    /// One tag's latencies in one interval.
    public struct Interval: Equatable, Sendable {
        /// The metric's name, or an endpoint's tag.
        public let tag: String
        /// The beginning of the interval; a multiple of a millisecond.
        let startNanoseconds: Int64
        /// The length of the interval; a multiple of a millisecond.
        let lengthNanoseconds: Int64
        let histogram: PackedHistogram

        /// The end of the interval.
        var endNanoseconds: Int64 { startNanoseconds + lengthNanoseconds }
    }

    /// The intervals that have latencies, sorted by beginning.
    public let intervals: [Interval]

    /// A log of the given intervals.
    public init(intervals: [Interval] = []) {
        self.intervals = intervals
    }

    /// The log with another log's intervals added.
    public func merged(with other: LatencyLog) -> LatencyLog {
        let all = (intervals + other.intervals).enumerated().ordered {
            ($0.element.startNanoseconds, $0.offset) < ($1.element.startNanoseconds, $1.offset)
        }
        return LatencyLog(intervals: all.map(\.element))
    }

    /// The latencies of several runs that went on at the same time, in the same intervals.
    public init(adding logs: [LatencyLog]) {
        struct Place: Hashable { let tag: String, start, length: Int64 }
        let all = Dictionary(grouping: logs.flatMap(\.intervals)) {
            Place(tag: $0.tag, start: $0.startNanoseconds, length: $0.lengthNanoseconds)
        }
        let merged = all.map { place, intervals in
            var histogram = Histogram()
            for interval in intervals { interval.histogram.add(to: &histogram) }
            return Interval(
                tag: place.tag, startNanoseconds: place.start, lengthNanoseconds: place.length,
                histogram: PackedHistogram(histogram))
        }
        self.init(
            intervals: merged.ordered {
                ($0.startNanoseconds, $0.tag) < ($1.startNanoseconds, $1.tag)
            })
    }

    /// All latencies of a tag, over all intervals.
    func total(of tag: String) -> Histogram {
        intervals.filter { $0.tag == tag }.reduce(into: Histogram()) { total, interval in
            interval.histogram.add(to: &total)
        }
    }
}

/// Records latencies in order of time, by tag and interval.
///
/// Only the current interval is a full histogram; earlier ones are packed, in some hundred bytes
/// each. Time must not go back by more than the current interval.
public struct LatencyRecorder: Sendable {
    private var tags: [String]
    private let intervalNanoseconds: Int64
    private var open: [Histogram]
    /// When the current interval begins.
    private var start: Int64 = 0
    private var end: Int64
    private var closed: [LatencyLog.Interval] = []

    /// A recorder for the given tags; samples name a tag by its position.
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

    /// Adds a tag and returns its position.
    public mutating func add(tag: String) -> Int {
        tags.append(tag)
        open.append(Histogram())
        return tags.count - 1
    }

    /// Counts a latency that ends at the given moment.
    ///
    /// - Complexity: O(1), and O(cells in use) once per interval.
    public mutating func record(_ latency: Int64, inTag tag: Int, atNanoseconds moment: Int64) {
        if moment >= end {
            closed += intervals
            begin(at: moment / intervalNanoseconds * intervalNanoseconds)
        }
        open[tag].record(latency)
    }

    /// Discards everything before a moment; the first interval begins at that moment's millisecond.
    public mutating func restart(atNanoseconds moment: Int64) {
        closed = []
        begin(at: moment / 1_000_000 * 1_000_000)
    }

    private mutating func begin(at moment: Int64) {
        for tag in open.indices { open[tag].removeAll() }
        start = moment
        end = (moment / intervalNanoseconds + 1) * intervalNanoseconds
    }

    /// All latencies so far, the current interval included.
    public var log: LatencyLog { LatencyLog(intervals: closed + intervals) }

    private var intervals: [LatencyLog.Interval] {
        zip(tags, open).filter { $0.1.count > 0 }.map { tag, histogram in
            LatencyLog.Interval(
                tag: tag, startNanoseconds: start, lengthNanoseconds: end - start,
                histogram: PackedHistogram(histogram))
        }
    }
}
