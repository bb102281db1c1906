/// What a run found; the whole content of `summary.json` and of the text on the terminal.
///
/// **Start here** to read this module. A summary holds nothing that differs between two runs of the
/// same seed, profile and version: no wall-clock time, no machine (see ``Manifest`` for those).
public struct RunSummary: Hashable, Sendable {
    /// What was run.
    public var subject: Subject
    /// Whether the run was interrupted before its end.
    public var isPartial: Bool
    /// A hash over everything that happened, in order.
    public var digest: UInt64
    /// How much virtual time passed.
    public var virtualNanoseconds: Int64
    /// Where the warm-up, which no number counts, ended; 0 without one.
    public var measuredFromNanoseconds: Int64 = 0
    /// Every metric: its total, then its series, in the order of their keys.
    public var metrics: [MetricSummary]
    /// The profile's expectations, in its order.
    public var thresholds: [ThresholdResult]
    /// Laws that hold in any sound run, whatever it measures.
    public var selfChecks: [SelfCheck]
    /// One line for each step of each journey.
    public var steps: [StepRow]
    /// One line for each endpoint.
    public var endpoints: [EndpointRow]
    /// One line for each step that met an expired token.
    public var storms: [StormRow]
    /// One line for each endpoint that answered that a token had expired.
    public var expiries: [ExpiryRow]
    /// One line for each journey of the profile.
    public var journeys: [JourneyRow] = []
    /// What expiring tokens did to the whole; nil when it was not measured.
    public var storm: StormView?
    /// What retries did to the load; nil when it was not measured.
    public var retry: RetryView?
    /// One line for each population, in the profile's order.
    public var populations: [PopulationRow] = []
    /// How busy the server was; nil when it was not measured.
    public var server: ServerView?
    /// What is wrong although no call failed, by population and kind.
    public var audits: [AuditRow] = []
    /// How lists were read page by page, by population, list and the way pages were asked for.
    public var readings: [ReadingRow] = []
    /// What was done to the server, and whether it recovered, in order of time.
    public var triggers: [TriggerRow] = []
    /// The steps that never ended.
    public var hangs: HangList
    /// What was found to be broken, races and violated invariants among it.
    public var findings: [Finding]
    /// What the model takes for granted, in sentences.
    public var assumptions: [String]

    /// What was run, and how to run it again.
    public struct Subject: Hashable, Sendable {
        /// The profile's name.
        public var profile: String
        /// The question the profile asks; may be empty.
        public var question: String
        /// The seed of all randomness.
        public var seed: UInt64
        /// How many users took part.
        public var users: Int64
        /// The command that repeats the run.
        public var replayCommand: String

        /// The profile of that name with everything that decides its result.
        public init(
            profile: String, question: String, seed: UInt64, users: Int64, replayCommand: String
        ) {
            self.profile = profile
            self.question = question
            self.seed = seed
            self.users = users
            self.replayCommand = replayCommand
        }
    }

    /// The summary of what was measured, with thresholds judged and tables drawn from the metrics.
    public init(
        of subject: Subject, isPartial: Bool, digest: UInt64, virtualNanoseconds: Int64,
        metrics: Metrics, thresholds: [Threshold], selfChecks: [SelfCheck], hangs: HangList,
        findings: [Finding], assumptions: [String]
    ) {
        self.subject = subject
        self.isPartial = isPartial
        self.digest = digest
        self.virtualNanoseconds = virtualNanoseconds
        self.metrics = MetricSummary.all(of: metrics)
        self.thresholds = thresholds.map {
            $0.judge(metrics, overNanoseconds: virtualNanoseconds)
        }
        self.selfChecks = selfChecks
        steps = StepRow.all(of: metrics)
        endpoints = EndpointRow.all(of: metrics)
        storms = StormRow.all(of: metrics)
        expiries = ExpiryRow.all(of: metrics)
        self.hangs = hangs
        self.findings = findings
        self.assumptions = assumptions
    }

    /// Whether the run met its expectations.
    public enum Verdict: String, Sendable {
        case passed
        case failed
        /// It was interrupted, so nothing it shows is a whole answer.
        case partial
        /// A threshold that ends the run was crossed.
        case aborted
    }

    /// Passed when every threshold and self-check holds, nothing was found and the run is whole.
    public var verdict: Verdict {
        if isPartial { return .partial }
        if thresholds.contains(where: \.abortedRun) { return .aborted }
        let isGood =
            findings.isEmpty && thresholds.allSatisfy(\.ok) && selfChecks.allSatisfy(\.ok)
        return isGood ? .passed : .failed
    }

    /// The digest in sixteen hexadecimal digits.
    public var digestText: String {
        let digits = String(digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
