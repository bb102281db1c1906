import SquallReport

/// How finely a run is measured over time.
struct Intervals {
    /// What one row of `timeseries.csv` covers.
    let timelineNanoseconds: Int64
    /// What one histogram of `latency.hlog` covers: whole rows, and at most so many of them that
    /// neither memory nor the file grows with the length of the run.
    let latencyNanoseconds: Int64

    private static let latencyIntervals: Int64 = 240

    init(timelineNanoseconds: Int64, durationNanoseconds: Int64) {
        self.timelineNanoseconds = timelineNanoseconds
        let span = timelineNanoseconds * Intervals.latencyIntervals
        let rows = max(1, (durationNanoseconds + span - 1) / span)
        latencyNanoseconds = timelineNanoseconds * rows
    }
}

/// What `latency.hlog` tells apart, by the name of the metric whose samples it takes.
enum LatencyTag: Int, CaseIterable {
    /// What users waited: a whole step, with its retries and its waits for a refresh.
    case step
    /// Attempts on the wire.
    case wire

    var metric: Metric {
        switch self {
        case .step: .stepDuration
        case .wire: .requestDuration
        }
    }
}
