import SquallFormat
public import SquallLab
public import SquallReport

/// The steady state of one long run, by the method of batch means: the content of `batches.json`.
///
/// Replications pay for a warm-up each; a long run pays for one. The measured time is cut into
/// equal batches, long enough to be independent of each other, which is tested.
public struct BatchesAnswer: PlanAnswer, Sendable {
    /// The name of the file with its table.
    public static let csvFile = "figures.csv"

    /// The profile's name, and the question it asks.
    let profile, experiment: String
    /// What part of the run counts.
    let measurementWindow: String
    /// The seed of the run.
    let seed: UInt64
    /// Its digest.
    let digest: String
    /// When the measured time begins, and how long each batch is.
    let measuredFromNanoseconds, batchNanoseconds: Int64
    /// How many batches there are.
    let batches: Int
    /// Every number of the steady state, in the order of the run's summary.
    public let figures: [BatchFigure]
    /// The result of each threshold, in the profile's order.
    let thresholds: [Level]
    /// What the run found to be wrong and the self-checks it failed, by label.
    let findings: [String]
    /// Those of the findings that fail any run.
    let failures: [String]
    /// Attempts that were simulated.
    public let requests: Int64
    /// The command that computes it again.
    let replay: String
    /// The settings that were neither measured nor given; nil where there are none.
    public var assumed: [AssumedRow]?

    /// The result of a threshold over the whole run.
    struct Level: Encodable, Sendable {
        /// The threshold, as `--threshold` takes it.
        let threshold: String
        /// Whether it holds.
        let holds: Bool
        /// What was observed, with its interval; nil without a sample, and where a threshold has a
        /// window or is about a count or an extreme.
        @OrNull var observed: BatchFigure?
    }

    /// The fewest and the most batches that a run is cut into.
    public static let counts: ClosedRange<Int64> = 10...500

    /// Computes the answer from a run of a profile.
    public init(_ run: BatchedRun, of asked: Profile, named name: String, replay: String) {
        let summary = run.result.summary
        let replication = Replication(run.result)
        profile = name
        experiment = asked.question
        measurementWindow = asked.batchWindow(from: summary.measuredFromNanoseconds)
        seed = replication.seed
        digest = replication.digest
        measuredFromNanoseconds = summary.measuredFromNanoseconds
        batches = run.count
        batchNanoseconds = run.nanoseconds
        figures = run.figures()
        thresholds = zip(asked.thresholds, replication.evidence).map { threshold, evidence in
            Level(
                threshold: evidence.threshold, holds: evidence.holds,
                observed: run.observed(
                    by: threshold, named: evidence.threshold, unit: evidence.unit ?? .number))
        }
        findings = replication.findings
        failures = replication.failures
        requests = replication.requests
        self.replay = replay
    }

    /// Whether every threshold holds and nothing fails any run.
    public var hasPassed: Bool { thresholds.allSatisfy(\.holds) && failures.isEmpty }

    /// The numbers that people ask for first, as far as the run has them.
    var headlines: [BatchFigure] {
        KeyMetrics.names.compactMap { name in figures.first { $0.name == name } }
    }
}

extension Profile {
    /// A sentence about which part of a long run counts and what that means for the answer.
    fileprivate func batchWindow(from moment: Int64) -> String {
        let moment = Units.exact(nanoseconds: moment)
        return warmUp == .mser5
            ? "One run, steady from \(moment) on: MSER-5 finds that its warm-up ends there."
            : "One run, assumed to be steady from \(moment) on; earlier values are excluded."
    }
}

/// One number of a long run, with an interval from the run's batches.
public struct BatchFigure: Encodable, Sendable {
    /// Its name, as `step_duration p(95)`.
    public let name: String
    /// What it counts.
    let unit: Figure.Unit
    /// The number in each batch alone; nil where one has none.
    let values: [Double?]
    /// The number of the whole run, and the interval around it.
    public let estimate: ConfidenceInterval
    /// The correlation of each batch with the next; nil where it cannot be computed.
    @OrNull private(set) var lag1: Double?
    /// Whether `lag1` is no larger than chance makes it, so that the interval can be trusted.
    let isIndependent: Bool

    /// Computes a number and its interval from the batches; nil where the whole run has no number.
    ///
    /// Each batch is left out once. With θ the number of the whole and θ₋ᵢ that of the rest,
    /// n·θ − (n−1)·θ₋ᵢ is the batch's own contribution; for a mean it is the batch's own mean. The
    /// interval is Student's over these (a jackknife over batches), around the run's own number. No
    /// number of a run is below 0, so the interval is cut at 0.
    init?(
        _ name: String, _ unit: Figure.Unit, whole: Double?, alone: [Double?], without: [Double?]
    ) {
        guard let whole else { return nil }
        (self.name, self.unit, values) = (name, unit, alone)
        let sayings = without.pseudoValues(of: whole)
        let width = sayings.flatMap { ConfidenceInterval(meanOf: $0)?.halfWidth }
        estimate = ConfidenceInterval(
            whole, low: width.map { max(0, whole - $0) }, high: width.map { whole + $0 })
        let correlation = sayings.flatMap(SerialCorrelation.init)
        lag1 = correlation?.lag1
        isIndependent = correlation?.isIndependent ?? true
    }
}
