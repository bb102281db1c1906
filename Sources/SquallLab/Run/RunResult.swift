public import SquallReport

/// The results of a run.
public struct RunResult: Sendable {
    /// Everything that is the same for all runs of one seed, profile and version.
    public internal(set) var output: RunOutput
    /// Attempts that were simulated.
    public let requests: Int64
    /// The share of attempts' time spent waiting for one of their user's connections.
    public let connectionWaitShare: Double
    /// The reason for which time did not go on; `nil` in nearly every run.
    public let standstill: StandstillError?

    /// The findings of a run.
    public init(
        output: RunOutput, requests: Int64,
        connectionWaitShare: Double = 0, standstill: StandstillError? = nil
    ) {
        self.standstill = standstill
        self.connectionWaitShare = connectionWaitShare
        self.output = output
        self.requests = requests
    }

    /// The summary.
    public var summary: RunSummary { output.summary }
    /// The numbers of every interval of virtual time.
    public var timeseries: TimeSeries { output.timeseries }
    /// The durations of steps and attempts, interval by interval.
    public var latencies: LatencyLog { output.latencies }
    /// The steps and exchanges of chosen users; `nil` without a choice.
    var trace: CallTrace? { output.trace }
}
