public import SquallFormat

/// What a run found; the whole content of `summary.json` and of the text on the terminal.
///
/// **Start here** to read this module. A summary holds nothing that differs between two runs of the
/// same seed, profile and version: no wall-clock time, no machine (see ``Manifest`` for those).
/// Every number that text, page and file show is worked out once, when the summary is made, and is
/// a member here or in one of its rows.
public struct RunSummary: Codable, Hashable, Sendable {
    private let schemaVersion: SummaryVersion
    /// Whether the run met its expectations.
    public let verdict: Verdict
    /// Why the verdict is what it is, in a few words.
    public private(set) var reason: String
    /// What the run found out, in one to three sentences.
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
    public let replayCommand: String
    /// A hash over everything that happened, in order.
    public let digest: RunDigest
    /// How much virtual time passed, the drain included.
    public let virtualNanoseconds: Int64
    /// Where the warm-up, which no number counts, ended; 0 without one.
    public let measuredFromNanoseconds: Int64
    /// Where the load, and with it every rate and mean over time, ended; the rest is the drain.
    public let measuredUntilNanoseconds: Int64
    /// Every metric: its total, then its series, in the order of their keys.
    public let metrics: [MetricSummary]
    /// The profile's expectations, in its order.
    public let thresholds: [ThresholdResult]
    /// Laws that hold in any sound run, whatever it measures.
    public let selfChecks: [SelfCheck]
    /// One line for each step of each journey.
    public let steps: [StepRow]
    /// One line for each endpoint.
    public let endpoints: [EndpointRow]
    /// One line for each step that met an expired token.
    public let expiredSteps: [ExpiredStepRow]
    /// One line for each endpoint that answered that a token had expired.
    public let expiries: [ExpiryRow]
    /// One line for each journey of the profile.
    public let journeys: [JourneyRow]
    /// What each population's load offered and what became of it, in the profile's order.
    public let load: [LoadRow]
    /// What expiring tokens did to the whole; nil when it was not measured.
    @OrNull public private(set) var storm: StormView?
    /// What retries did to the load; nil when it was not measured.
    @OrNull public private(set) var retry: RetryView?
    /// One line for each population, in the profile's order.
    public let populations: [PopulationRow]
    /// One line for each population that shares another's habits.
    public let pairs: [PairRow]
    /// How busy the server was; nil when it was not measured.
    @OrNull public private(set) var server: ServerView?
    /// What is wrong although no call failed, by population and kind.
    public let audits: [AuditRow]
    /// How lists were read page by page, by population, list and the way pages were asked for.
    public let readings: [ReadingRow]
    /// What single users went through, for findings to point to.
    public let examples: [ExampleRow]
    /// Why steps ended without what their users came for, by population.
    public let stepFailures: [StepFailureRow]
    /// Why attempts failed, by population; answers "expired" are in ``expiries``.
    public let callFailures: [CallFailureRow]
    /// From when on what the thresholds ask about was steady.
    public let settling: [SettlingRow]
    /// What was done to the server, and whether it recovered, in order of time.
    public let triggers: [TriggerRow]
    /// The statuses with which services said that a token had expired.
    public let expiredStatuses: [String]
    /// The steps that never ended.
    public let hangs: HangList
    /// Everything that is wrong, the gravest first; empty only when nothing is.
    public private(set) var findings: [Finding]
    /// What the model takes for granted, in sentences.
    public let assumptions: [String]

    private enum CodingKeys: String, CodingKey {
        case schemaVersion, verdict, reason, answer, profile, question, seed, users, digest, metrics
        case thresholds, examples, stepFailures, callFailures, expiredStatuses
        case selfChecks, steps, endpoints, expiredSteps, expiries, journeys, load, populations
        case pairs, audits, readings, settling, triggers, hangs, findings, assumptions
        case replayCommand = "replay"
        case virtualNanoseconds = "virtualDurationNs"
        case measuredFromNanoseconds = "measuredFromNs"
        case measuredUntilNanoseconds = "measuredUntilNs"
        case storm = "stormView"
        case retry = "retryView"
        case server = "serverView"
    }

    /// The summary of a run: its tables drawn from the metrics, its verdict from the checks.
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
        replayCommand = subject.replayCommand
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
        storm = views.storm
        retry = views.retry
        populations = views.populations
        pairs = views.pairs
        server = views.server
        audits = views.audits
        readings = views.readings
        examples = views.examples
        stepFailures = views.stepFailures
        callFailures = views.callFailures
        settling = views.settling
        triggers = views.triggers
        expiredStatuses = views.expiredStatuses
        hangs = checks.hangs
        findings = checks.findings
        assumptions = subject.assumptions
        // From here on the summary is whole but for what is said about it.
        findings += FindingRule.all.flatMap { $0.findings(self) }
        answer = Answer(self).sentences
        reason = RunSummary.whole(reason, verdict, findings)
    }

    /// Whether a run met its expectations.
    public enum Verdict: String, CaseIterable, Codable, Sendable {
        /// All that was expected of it holds.
        case passed
        case failed
        /// Nothing was expected of it, and nothing fails any run.
        case noVerdict
        /// It was interrupted, so nothing it shows is a whole answer.
        case partial
        /// A threshold that ends the run was crossed.
        case aborted
    }

    /// What every rate and mean over time is about, whether or not anything happened in it.
    public var measuredNanoseconds: Int64 { measuredUntilNanoseconds - measuredFromNanoseconds }

    /// How long steps under way were given to end after the load.
    public var drainNanoseconds: Int64 { virtualNanoseconds - measuredUntilNanoseconds }

    /// What a metric came to over all its series; nil when it was not measured.
    public func total(of metric: Metric) -> MetricSummary? {
        metrics.first { $0.name == metric.name && $0.tags.isEmpty }
    }

    /// The series of a metric.
    public func series(of metric: Metric) -> [MetricSummary] {
        metrics.filter { $0.name == metric.name && !$0.tags.isEmpty }
    }
}

extension OutputFormat {
    /// Everything that was found, every number exact.
    static let summary = OutputFormat("summary.json") { JSONDocument.text($0.summary) }
}
