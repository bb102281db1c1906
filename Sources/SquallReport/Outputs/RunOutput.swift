/// Everything that a run produces, and its files are written from.
public struct RunOutput: Sendable {
    /// The summary.
    public private(set) var summary: RunSummary
    /// The metrics with their complete distributions.
    public let metrics: Metrics
    /// The numbers of each interval of virtual time.
    public let timeseries: TimeSeries
    /// The durations of steps and attempts, by interval.
    public let latencies: LatencyLog
    /// The steps and exchanges of traced users; `nil` when no user was traced.
    public let trace: CallTrace?
    /// The evidence for each threshold, in the profile's order.
    public let evidence: [ThresholdEvidence]
    /// True where `openmetrics.txt` is asked for.
    let writesOpenMetrics: Bool
    /// The time series with the percentiles of latencies, which several files use.
    let table: TimeTable

    /// The output of a run.
    public init(
        summary: RunSummary, metrics: Metrics, timeseries: TimeSeries, latencies: LatencyLog,
        trace: CallTrace? = nil, evidence: [ThresholdEvidence] = [],
        writesOpenMetrics: Bool = false
    ) {
        self.writesOpenMetrics = writesOpenMetrics
        self.evidence = evidence
        self.summary = summary
        self.metrics = metrics
        self.timeseries = timeseries
        self.latencies = latencies
        self.trace = trace
        table = TimeTable(timeseries, latencies)
    }

    /// Judges the summary, with the findings that were made after all measurements.
    public mutating func judge(isPartial: Bool, with late: [Finding]) {
        summary.findings += late
        summary = summary.judged(isPartial: isPartial)
    }
}

extension RunOutput {
    /// The files that are equal whenever the run is repeated.
    public var files: [(name: String, text: String)] {
        OutputFormat.builtIn.compactMap { format in
            format.text(self).map { (format.file, $0) }
        }
    }

    /// The name of the run's folder: its seed and the first digits of its digest, which for a run
    /// in front of a real server identifies no repetition.
    public var runID: String {
        summary.generator == nil
            ? "seed\(summary.seed)-\(summary.digest.text.prefix(8))" : "drive"
    }
}
