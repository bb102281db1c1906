import SquallReport

/// The waits in line of one interval of the time series after the other, until their percentiles
/// are in its row.
struct IntervalWaits {
    private let intervalNanoseconds: Int64
    private var interval: Int64 = 0
    private var waits = Histogram()

    init(intervalNanoseconds: Int64) { self.intervalNanoseconds = intervalNanoseconds }

    /// A request has waited; a row is written when the first of a later interval comes.
    mutating func record(_ wait: Int64, at now: Int64, into timeline: inout Timeline) {
        if now / intervalNanoseconds != interval {
            close(into: &timeline)
            waits.removeAll()
            interval = now / intervalNanoseconds
        }
        waits.record(wait)
    }

    /// Writes what the present interval has so far.
    func close(into timeline: inout Timeline) {
        guard waits.count > 0 else { return }
        let moment = interval * intervalNanoseconds
        let columns: [(TimelineColumn, Double)] = [
            (.serverWaitP50, 50), (.serverWaitP95, 95), (.serverWaitP99, 99),
        ]
        for (column, percentile) in columns {
            timeline.count(column, waits.value(atPercentile: percentile), at: moment)
        }
    }
}
