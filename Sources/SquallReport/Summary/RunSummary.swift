public import SquallFormat

/// The results of a run: the whole content of `summary.json` and of the text on the terminal.
///
/// **Start here** to read this module. A summary contains nothing that differs between two runs of
/// the same seed, profile and version: no real time, no machine (see ``Manifest`` for those). Every
/// number that text, page and file show is computed once, when the summary is made, and is a member
/// here or in one of its rows.
public struct RunSummary: ShortUnits, Sendable {
    private var schemaVersion = SummaryVersion()
    /// The judgement of the run by its expectations and findings.
    public private(set) var verdict = Verdict.noVerdict
    /// The reason of the verdict, in a few words.
    public private(set) var reason = ""
    /// The answer of the run, in up to four short texts.
    public private(set) var answer: [String] = []
    /// The profile's name.
    public var profile = ""
    /// The question the profile asks; may be empty.
    public var question = ""
    /// The seed of all randomness.
    public var seed: UInt64 = 0
    /// The number of users who took part.
    public var users: Int64 = 0
    /// The command that repeats the run.
    public var replay = ""
    /// A hash over everything that happened, in order.
    public var digest = RunDigest(0)
    /// The virtual time of the run, the drain included.
    public var virtualNanoseconds: Int64 = 0
    /// The end of the warm-up, before which nothing is counted; 0 without one.
    public let measuredFromNanoseconds: Int64
    /// The end of the load, and of every rate and mean over time; the rest is the drain.
    public let measuredUntilNanoseconds: Int64
    /// Every metric: its total, then its series, in the order of their keys.
    public let metrics: [MetricSummary]
    /// The profile's expectations, in its order.
    public var thresholds: [ThresholdResult] = []
    /// Self-checks that hold in any sound run.
    public var selfChecks: [SelfCheck] = []
    /// One row for each step of each journey.
    public let steps: [StepRow]
    /// One row for each endpoint.
    public let endpoints: [EndpointRow]
    /// One row for each step that met an expired token.
    public let expiredSteps: [ExpiredStepRow]
    /// One row for each endpoint that sent an expired response.
    public let expiries: [ExpiryRow]
    /// One row for each journey of the profile.
    public var journeys: [JourneyRow] = []
    /// The visits and steps of each population's load by their fate, in the profile's order.
    public var load: [LoadRow] = []
    /// The effects of expiring tokens on all users; nil when not measured.
    @OrNull public var refreshes: RefreshView?
    /// The effects of retries on the load; nil when not measured.
    @OrNull public var retries: RetryView?
    /// One row for each population, in the profile's order.
    public var populations: [PopulationRow] = []
    /// One row for each population that shares another's habits.
    public var pairs: [PairRow] = []
    /// The use of the server; `nil` when not measured.
    @OrNull public var server: ServerView?
    /// The state of the load generator; `nil` when the server was simulated.
    @OrNull public var generator: GeneratorView?
    /// Problems found although no call failed, by population and kind.
    public var audits: [AuditRow] = []
    /// The reading of lists page by page, by population, list and way to ask for pages.
    public var readings: [ReadingRow] = []
    /// Failed steps of single users; findings refer to these.
    public var examples: [ExampleRow] = []
    /// The reasons of failed steps, by population.
    public var stepFailures: [StepFailureRow] = []
    /// The reasons of failed attempts, by population; expired responses are in ``expiries``.
    public var attemptFailures: [AttemptFailureRow] = []
    /// The moments from which on the series of thresholds are steady.
    public var settling: [SettlingRow] = []
    /// The faults, and the recovery of the service from each, in order of time.
    public var faults: [FaultRow] = []
    /// The statuses by which services say that a token has expired.
    public var expiredStatuses: [String] = []
    /// The steps that never ended.
    public var hangs = HangList()
    /// All findings: those that void the run or harm users, then the most frequent first.
    public var findings: [Finding] = []
    /// The settings without a measured or given value, those that matter most first.
    public var assumed: [AssumedRow] = []
    /// The assumptions of the model, in sentences.
    public var assumptions: [String] = []

    /// The tables of metrics that count from a moment until the load ends; all else is empty.
    public init(
        of metrics: Metrics, fromNanoseconds: Int64 = 0, untilNanoseconds: Int64 = 0
    ) {
        measuredFromNanoseconds = fromNanoseconds
        measuredUntilNanoseconds = untilNanoseconds
        virtualNanoseconds = untilNanoseconds
        self.metrics = metrics.entries.map {
            MetricSummary($0.key, $0.value, overNanoseconds: untilNanoseconds - fromNanoseconds)
        }
        steps = StepRow.all(of: metrics)
        endpoints = EndpointRow.all(of: metrics)
        expiredSteps = ExpiredStepRow.all(of: metrics)
        expiries = ExpiryRow.all(of: metrics)
    }

    /// The parts of one run as one, with the metrics and the time series of all: counts are added
    /// up, and of figures that cannot be, the worst part's counts.
    ///
    /// A member that is one part's alone stays empty, and so do those that need the profile:
    /// thresholds, self-checks, journeys and findings.
    public init(adding parts: [RunSummary], _ metrics: Metrics, _ series: TimeSeries) {
        let (first, last) = (parts[0], parts.map(\.virtualNanoseconds).max() ?? 0)
        self.init(
            of: metrics, fromNanoseconds: first.measuredFromNanoseconds,
            untilNanoseconds: first.measuredUntilNanoseconds)
        (profile, question, replay) = (first.profile, first.question, first.replay)
        (seed, users, virtualNanoseconds) = (first.seed, first.users, last)
        (assumed, assumptions) = (first.assumed, first.assumptions)
        load = .sum(of: parts.map(\.load), metrics)
        populations = .sum(of: parts.map(\.populations), metrics)
        let peaks = PeakFinder(
            series, measuredFrom: measuredFromNanoseconds, until: measuredUntilNanoseconds)
        refreshes = RefreshView(
            of: metrics, overNanoseconds: measuredNanoseconds, by: populations,
            held: .sum(of: parts.compactMap(\.refreshes?.held), metrics),
            peak: peaks.peakPerSecond, peaks: peaks.ofOnePopulation)
        retries = .sum(of: parts.compactMap(\.retries))
        generator = .sum(of: parts.compactMap(\.generator))
        audits = parts.flatMap(\.audits).summed
        examples = parts.flatMap(\.examples)
        stepFailures = parts.flatMap(\.stepFailures).summed
        attemptFailures = parts.flatMap(\.attemptFailures).summed
        expiredStatuses = Set(parts.flatMap(\.expiredStatuses)).sorted()
        hangs = parts.reduce(into: HangList()) { $0.add($1.hangs) }
    }

    /// The summary with its verdict, all findings, and its answer; everything else must be
    /// complete.
    public func judged(isPartial: Bool = false) -> RunSummary {
        var summary = self
        summary.verdict = verdict(isPartial: isPartial)
        summary.reason = summary.reasonOfVerdict
        summary.findings = findings + FindingRule.all(in: summary)
        summary.answer = (assumed.warning.map { [$0] } ?? []) + Answer(summary).sentences
        if summary.hasOnlyFindings || summary.verdict == .notMeasured && !summary.findings.isEmpty {
            summary.reason += "; \(Units.counted(summary.findings.count, "finding"))"
        }
        return summary
    }

    /// Passed when all expectations hold and nothing fails any run; without expectations there is
    /// no verdict.
    private func verdict(isPartial: Bool) -> Verdict {
        if isPartial { return .partial }
        if thresholds.contains(where: \.abortedRun) { return .aborted }
        let isGood =
            !findings.contains(where: \.failsRun) && thresholds.allSatisfy(\.ok)
            && selfChecks.allSatisfy(\.ok)
        guard isGood else { return .failed }
        if thresholds.isEmpty { return .noVerdict }
        return assumed.decisive.isEmpty ? .passed : .notMeasured
    }

    /// The time of every rate and mean, also when nothing happened in it.
    public var measuredNanoseconds: Int64 { measuredUntilNanoseconds - measuredFromNanoseconds }

    /// The time that steps under way get to end after the load.
    var drainNanoseconds: Int64 { virtualNanoseconds - measuredUntilNanoseconds }

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

extension RunSummary {
    /// The part of the request that the results cover.
    public var extent: Extent {
        Extent(runWith: virtualNanoseconds, wasInterrupted: verdict == .partial)
    }

    /// The differences of the experiment from an earlier run of the profile, in a few words each.
    ///
    /// Designs and other settings may differ: baselines serve to show their effects.
    public func askedOtherwise(than earlier: RunSummary) -> [String] {
        let facts: [(what: String, was: String, isNow: String)] = [
            ("users", Units.grouped(earlier.users), Units.grouped(users)),
            ("measured time", earlier.measured, measured),
            ("populations", earlier.crowd, crowd),
        ]
        return facts.filter { $0.was != $0.isNow }.map {
            "\($0.what): \($0.was.isEmpty ? "none" : $0.was) then,"
                + " \($0.isNow.isEmpty ? "none" : $0.isNow) now"
        }
    }

    private var measured: String {
        let until = Units.exact(nanoseconds: measuredUntilNanoseconds)
        return measuredFromNanoseconds == 0
            ? until : "\(Units.exact(nanoseconds: measuredFromNanoseconds)) to \(until)"
    }

    private var crowd: String {
        populations.map { row in
            let count = populations.count == 1 ? "" : "\(Units.grouped(row.users)) "
            return "\(count)\(row.name) (\(row.app))"
        }.joined(separator: ", ")
    }
}

extension RunSummary {
    /// The options that changed the experiment, from the command that repeats the run; `nil` for a
    /// profile without a question, or one that was run as it stands.
    var overridden: String? {
        let changing = ["users ", "for ", "set ", "population "]
        let given = replay.split(separator: " --").dropFirst()
            .filter { option in changing.contains { option.hasPrefix($0) } }
        guard !question.isEmpty, !given.isEmpty else { return nil }
        let options = given.map { "--\($0)" }.joined(separator: " ")
        return "Asked with \(options): the answer is about that, not about the profile as written."
    }
}

/// A hash over everything that happened in a run, in order.
public struct RunDigest: Equatable, Sendable {
    /// The hash in sixteen hexadecimal digits.
    public let text: String

    /// The digest of that value.
    public init(_ value: UInt64) {
        text = value.hexadecimal
    }
}

extension RunDigest: Codable {
    /// Reads sixteen hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard text.wholeMatch(of: /[0-9a-f]{16}/) != nil else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected sixteen hexadecimal digits, got '\(text)'")
        }
    }

    /// Writes the digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A law that any sound run obeys, such as "every attempt has one cause".
public struct SelfCheck: Codable, Sendable {
    /// The law in a few words.
    public let name: String
    /// True if the run obeyed it.
    public let ok: Bool
    /// The numbers on both sides of the law.
    public let detail: String

    /// Makes the result of a check.
    public init(name: String, ok: Bool, detail: String) {
        self.name = name
        self.ok = ok
        self.detail = detail
    }
}
