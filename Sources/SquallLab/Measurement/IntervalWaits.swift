import SquallReport

/// The waits in line of the present interval of the time series, until their percentiles are in its
/// row.
///
/// Where a worker is always free it is only a count; waits that took time are kept and sorted.
struct IntervalWaits {
    private let intervalNanoseconds: Int64
    private var interval: Int64 = 0
    private var count = 0
    /// Those that took time.
    private var waits: [Int64] = []

    init(intervalNanoseconds: Int64) { self.intervalNanoseconds = intervalNanoseconds }

    /// Adds the wait of a request; the first one of a later interval writes a row.
    mutating func record(_ wait: Int64, at now: Int64, into timeline: inout TimeSeries) {
        if now >= (interval + 1) * intervalNanoseconds {
            close(into: &timeline)
            waits.removeAll(keepingCapacity: true)
            count = 0
            interval = now / intervalNanoseconds
        }
        count += 1
        if wait > 0 { waits.append(wait) }
    }

    /// Writes the present interval so far: the smallest waits that the shares do not exceed,
    /// exactly.
    mutating func close(into timeline: inout TimeSeries) {
        guard !waits.isEmpty else { return }
        waits.sort()
        let moment = interval * intervalNanoseconds
        let columns: [(TimelineColumn, Int)] = [
            (.serverWaitP50, 50), (.serverWaitP95, 95), (.serverWaitP99, 99),
        ]
        for (column, percentile) in columns {
            let rank = (count * percentile + 99) / 100 - (count - waits.count)
            guard rank > 0 else { continue }
            timeline.count(column, waits[rank - 1], at: moment)
        }
    }
}

/// How finely a run is measured over time.
struct Intervals {
    /// The time that one row of `timeseries.csv` covers.
    let timelineNanoseconds: Int64
    /// The time that one histogram of `latency.hlog` covers: whole rows, and few enough histograms
    /// that neither memory nor the file grows with the length of the run.
    let latencyNanoseconds: Int64

    private static let latencyIntervals: Int64 = 240

    init(timelineNanoseconds: Int64, durationNanoseconds: Int64) {
        self.timelineNanoseconds = timelineNanoseconds
        let span = timelineNanoseconds * Intervals.latencyIntervals
        let rows = max(1, (durationNanoseconds + span - 1) / span)
        latencyNanoseconds = timelineNanoseconds * rows
    }
}
