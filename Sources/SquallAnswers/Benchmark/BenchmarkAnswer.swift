public import SquallFormat
import SquallKernel
public import SquallReport

/// The cost of running a client, measured by whole processes; beside a baseline in pairs.
///
/// Processor time and memory are the operating system's own figures of a run that has ended. A run
/// of one user is subtracted, so that neither start-up nor the writing of results counts. The two
/// sides take turns, since a machine's speed drifts more than most changes cost: only the ratios of
/// pairs are compared.
public struct BenchmarkAnswer: Encodable, Sendable {
    /// One run of one side.
    public struct Sample: Encodable, Sendable {
        /// User and system time in nanoseconds, over all threads.
        public let processorNanoseconds: Int64
        /// The most memory that the process had.
        public let peakMemoryBytes: Int64
        /// The attempts that its users made.
        public let attempts: Int64
        /// The number of users of the run.
        public let users: Int64
        /// Refreshes per expired access token; `nil` where no token expired.
        public let refreshesPerExpiry: Double?

        /// A finished run by its summary and its use of the machine.
        public init(_ summary: RunSummary, processorNanoseconds: Int64, peakMemoryBytes: Int64) {
            let figures = Figure.all(of: summary)
            func figure(_ name: String) -> Double? { figures.first { $0.name == name }?.value }
            self.processorNanoseconds = processorNanoseconds
            self.peakMemoryBytes = peakMemoryBytes
            attempts = Int64(figure("requests count") ?? 0)
            users = summary.populations.reduce(0) { $0 + $1.users }
            refreshesPerExpiry = figure("refreshes_per_expiry value")
        }
    }

    /// The runs of one side.
    public struct Side: Encodable, Sendable {
        /// The profile, setting or program of this side.
        public let name: String
        /// A run of one user of each population.
        public let least: Sample
        /// The runs to measure, in their order.
        public var runs: [Sample] = []

        /// A side before its first run.
        public init(_ name: String, least: Sample) {
            (self.name, self.least) = (name, least)
        }

        /// Nanoseconds of processor time an attempt, run by run.
        var perAttempt: [Double] {
            runs.map { run in
                let attempts = max(run.attempts - least.attempts, 1)
                return Double(run.processorNanoseconds - least.processorNanoseconds)
                    / Double(attempts)
            }
        }

        /// Bytes of memory a user, run by run.
        var perUser: [Double] {
            runs.map { run in
                Double(run.peakMemoryBytes - least.peakMemoryBytes)
                    / Double(max(run.users - least.users, 1))
            }
        }
    }

    /// The profile's name.
    public let profile: String
    /// The side that is measured.
    public let side: Side
    /// The side that it is measured beside; `nil` without a baseline.
    public let baseline: Side?
    /// The share by which an attempt may take more time than the baseline's.
    public let tolerance: Double
    /// The command that measures again.
    let replay: String

    /// An answer; both sides have as many runs.
    public init(
        profile: String, _ side: Side, baseline: Side?, tolerance: Double, replay: String
    ) {
        (self.profile, self.side, self.baseline) = (profile, side, baseline)
        (self.tolerance, self.replay) = (tolerance, replay)
    }

    /// The time of an attempt by the baseline's, over the pairs, with its 95 % interval.
    var timeRatio: ConfidenceInterval? {
        guard let baseline else { return nil }
        let logarithms = zip(side.perAttempt, baseline.perAttempt).compactMap { side, base in
            side > 0 && base > 0 ? PortableMath.log(side / base) : nil
        }
        guard logarithms.count == side.runs.count,
            let mean = ConfidenceInterval(meanOf: logarithms)
        else { return nil }
        return ConfidenceInterval(
            PortableMath.exp(mean.value), low: mean.low.map(PortableMath.exp),
            high: mean.high.map(PortableMath.exp))
    }

    /// Refreshes per expiry of both, where they differ: equal seeds leave nothing to sampling.
    var refreshes: (side: Double, baseline: Double)? {
        guard let one = side.runs.first?.refreshesPerExpiry,
            let other = baseline?.runs.first?.refreshesPerExpiry, one != other
        else { return nil }
        return (one, other)
    }

    /// Passed if the client costs no more than the baseline; `nil` without one.
    public var verdict: Verdict? {
        guard let ratio = timeRatio, let low = ratio.low, let high = ratio.high else { return nil }
        if let refreshes, refreshes.side > refreshes.baseline { return .failed }
        if low > 1, ratio.value > 1 + tolerance { return .failed }
        return high <= 1 + tolerance || ratio.value <= 1 ? .passed : .notJudged
    }
}
