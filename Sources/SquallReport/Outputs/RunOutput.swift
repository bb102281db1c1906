/// Everything that a run leaves, from which its files are written.
public struct RunOutput: Sendable {
    /// What was found.
    public let summary: RunSummary
    /// The metrics with their whole distributions.
    public let metrics: Metrics
    /// The numbers of every interval of virtual time.
    public let timeseries: TimeSeries
    /// How long steps and attempts took, interval by interval.
    public let latencies: LatencyLog
    /// What chosen users did; nil when nobody was chosen.
    public let trace: CallTrace?
    /// What each threshold was judged by, in the profile's order.
    public let evidence: [ThresholdEvidence]
    /// The time series with the percentiles of latencies, which several files show.
    let table: TimeTable

    /// The output of a run.
    public init(
        summary: RunSummary, metrics: Metrics, timeseries: TimeSeries, latencies: LatencyLog,
        trace: CallTrace? = nil, evidence: [ThresholdEvidence] = []
    ) {
        self.evidence = evidence
        self.summary = summary
        self.metrics = metrics
        self.timeseries = timeseries
        self.latencies = latencies
        self.trace = trace
        table = TimeTable(timeseries, latencies)
    }
}
