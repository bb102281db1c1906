public import SquallFormat

/// The results of a run: the whole content of `summary.json` and of the text on the terminal.
///
/// **Start here** to read this module. A summary contains nothing that differs between two runs of
/// the same seed, profile and version: no real time, no machine (see ``Manifest`` for those). Every
/// number that text, page and file show is computed once, when the summary is made, and is a member
/// here or in one of its rows.
public struct RunSummary: ShortUnits, Hashable, Sendable {
    private let schemaVersion: SummaryVersion
    /// Whether the run met its expectations.
    public let verdict: Verdict
    /// Why the verdict is what it is, in a few words.
    public private(set) var reason: String
    /// What the run found out, in up to four short texts.
    public private(set) var answer: [String]
    /// The profile's name.
    public let profile: String
    /// The question the profile asks; may be empty.
    public let question: String
    /// The seed of all randomness.
    public let seed: UInt64
    /// How many users took part.
    public let users: Int64
    /// The command that repeats the run.
    public let replay: String
    /// A hash over everything that happened, in order.
    public let digest: RunDigest
    /// How much virtual time passed, the drain included.
    public let virtualNanoseconds: Int64
    /// When the warm-up ended, before which nothing is counted; 0 without one.
    public let measuredFromNanoseconds: Int64
    /// When the load ended, and with it every rate and mean over time; the rest is the drain.
    public let measuredUntilNanoseconds: Int64
    /// Every metric: its total, then its series, in the order of their keys.
    public let metrics: [MetricSummary]
    /// The profile's expectations, in its order.
    public let thresholds: [ThresholdResult]
    /// Laws that hold in any sound run, whatever it measures.
    public let selfChecks: [SelfCheck]
    /// One row for each step of each journey.
    public let steps: [StepRow]
    /// One row for each endpoint.
    public let endpoints: [EndpointRow]
    /// One row for each step that met an expired token.
    public let expiredSteps: [ExpiredStepRow]
    /// One row for each endpoint that answered that a token had expired.
    public let expiries: [ExpiryRow]
    /// One row for each journey of the profile.
    public let journeys: [JourneyRow]
    /// What each population's load offered and what happened to it, in the profile's order.
    public let load: [LoadRow]
    /// The effects of expiring tokens on all users; nil when not measured.
    @OrNull public private(set) var refreshes: RefreshView?
    /// The effects of retries on the load; nil when not measured.
    @OrNull public private(set) var retries: RetryView?
    /// One row for each population, in the profile's order.
    public let populations: [PopulationRow]
    /// One row for each population that shares another's habits.
    public let pairs: [PairRow]
    /// How busy the server was; nil when not measured.
    @OrNull public private(set) var server: ServerView?
    /// Problems found although no call failed, by population and kind.
    public let audits: [AuditRow]
    /// How lists were read page by page, by population, list and way to ask for pages.
    public let readings: [ReadingRow]
    /// What single users went through; findings refer to these.
    public let examples: [ExampleRow]
    /// Why steps failed, by population.
    public let stepFailures: [StepFailureRow]
    /// Why attempts failed, by population; answers "expired" are in ``expiries``.
    public let attemptFailures: [AttemptFailureRow]
    /// When the series that thresholds are about became steady.
    public let settling: [SettlingRow]
    /// The faults, and whether the service recovered, in order of time.
    public let faults: [FaultRow]
    /// The statuses by which services say that a token has expired.
    public let expiredStatuses: [String]
    /// The steps that never ended.
    public let hangs: HangList
    /// All findings, the worst first; empty only when nothing is wrong.
    public private(set) var findings: [Finding]
    /// The assumptions of the model, in sentences.
    public let assumptions: [String]

    /// Makes the summary: tables from the metrics, the verdict from the checks.
    public init(
        of subject: Subject, course: Course, metrics: Metrics, checks: Checks, views: Views
    ) {
        schemaVersion = SummaryVersion()
        verdict = checks.verdict(isPartial: course.isPartial)
        reason = checks.reason(of: verdict)
        answer = []
        profile = subject.profile
        question = subject.question
        seed = subject.seed
        users = subject.users
        replay = subject.replayCommand
        digest = RunDigest(course.digest)
        virtualNanoseconds = course.virtualNanoseconds
        measuredFromNanoseconds = course.measuredFromNanoseconds
        measuredUntilNanoseconds = course.measuredUntilNanoseconds
        self.metrics = MetricSummary.all(
            of: metrics,
            overNanoseconds: course.measuredUntilNanoseconds - course.measuredFromNanoseconds)
        thresholds = checks.thresholds
        selfChecks = checks.selfChecks
        steps = StepRow.all(of: metrics)
        endpoints = EndpointRow.all(of: metrics)
        expiredSteps = ExpiredStepRow.all(of: metrics)
        expiries = ExpiryRow.all(of: metrics)
        journeys = views.journeys
        load = views.load
        refreshes = views.refreshes
        retries = views.retries
        populations = views.populations
        pairs = views.pairs
        server = views.server
        audits = views.audits
        readings = views.readings
        examples = views.examples
        stepFailures = views.stepFailures
        attemptFailures = views.attemptFailures
        settling = views.settling
        faults = views.faults
        expiredStatuses = views.expiredStatuses
        hangs = checks.hangs
        findings = checks.findings
        assumptions = subject.assumptions
        // Findings, reason and answer are computed from the otherwise complete summary.
        findings += FindingRule.all.flatMap { $0.findings(self) }
        answer = Answer(self).sentences
        reason = RunSummary.whole(reason, verdict, findings)
    }

    /// Whether a run met its expectations.
    public enum Verdict: String, CaseIterable, Codable, Sendable {
        /// All expectations hold.
        case passed
        case failed
        /// There are no expectations, and nothing fails any run.
        case noVerdict
        /// It was interrupted, so its results are incomplete.
        case partial
        /// A threshold that ends the run was crossed.
        case aborted
    }

    /// The time that every rate and mean is about, whether or not anything happened in it.
    public var measuredNanoseconds: Int64 { measuredUntilNanoseconds - measuredFromNanoseconds }

    /// How long steps under way were given to end after the load.
    public var drainNanoseconds: Int64 { virtualNanoseconds - measuredUntilNanoseconds }

    /// A metric over all its series; nil when it was not measured.
    public func total(of metric: Metric) -> MetricSummary? {
        metrics.first { $0.name == metric.name && $0.tags.isEmpty }
    }

    /// The series of a metric.
    public func series(of metric: Metric) -> [MetricSummary] {
        metrics.filter { $0.name == metric.name && !$0.tags.isEmpty }
    }
}

extension OutputFormat {
    /// All results, with exact numbers.
    static let summary = OutputFormat("summary.json") { JSONDocument.text($0.summary) }
}
