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
