import SquallDocument
import SquallFormat
import SquallReport
public import SquallRaces

/// Everything that is kept of an exploration.
public struct ExplorationResult: Sendable {
    /// What was found.
    public let exploration: Exploration
    /// The profile's name.
    public let profile: String
    /// What was to be found out; may be empty.
    public let question: String
    private let build: String
    /// What commands begin with that play a finding again.
    let program: String

    /// The results of exploring a profile by a build of a program.
    public init(
        _ exploration: Exploration, profile: String, question: String, replayBuild build: String,
        program: String
    ) {
        self.exploration = exploration
        self.profile = profile
        self.question = question
        self.build = build
        self.program = program
    }

    /// The name of the folder.
    public var name: String {
        var hash = StableHash()
        hash.mix(exploration.coverage.schedules)
        hash.mix(exploration.coverage.distinctSchedules)
        for finding in exploration.findings { hash.mix(finding.played.digest) }
        let seed = exploration.plan.seed
        return "explore-seed\(seed)-\(hash.value.hexadecimal.prefix(8))"
    }

    /// Where each finding is saved, within the folder: `findings/S4-1.json`.
    public var findingNames: [String] {
        var counts: [String: Int] = [:]
        return exploration.findings.map { finding in
            let invariant = finding.violation.invariant
            counts[invariant, default: 0] += 1
            return "findings/\(invariant)-\(counts[invariant, default: 1]).json"
        }
    }

    /// The files: the summary, the page, the traces, and one file for each finding.
    public var files: [(name: String, text: String)] {
        let findings = zip(findingNames, exploration.findings).compactMap { name, finding in
            FindingFile(finding, seed: exploration.plan.seed, build: build).map {
                (name: name, text: JSONDocument.text(Sealed($0)))
            }
        }
        let traces = zip(findingNames, exploration.findings).map { name, finding in
            (
                name: name.replacing(".json", with: ".trace.json"),
                text: TimelineTrace(finding).json.document
            )
        }
        return [
            ("summary.json", JSONDocument.text(summary)),
            ("report.html", document().html), ("junit.xml", junit),
        ] + findings + traces
    }

    /// Each promise as a test: kept, broken or skipped because no schedule showed what it needs.
    private var junit: String {
        let names = zip(exploration.findings, findingNames)
        let cases = exploration.judgements.map { judgement in
            JUnitSuite.Case(
                "promise", judgement.title,
                failures: names.filter {
                    $0.0.violation.invariant == judgement.question.invariant.id
                }
                .map { ($0.0.violation.text, "replay: squall replay \($0.1)") },
                skipped: judgement.isNotJudged ? judgement.reason : nil)
        }
        let said = ([exploration.statement] + exploration.remarks).joined(separator: "\n")
        return JUnitSuite.document([JUnitSuite(profile, cases, said: said)])
    }

    /// The numbers.
    public var summary: ExplorationSummary { ExplorationSummary(exploration, profile: profile) }
}

/// The numbers of an exploration, as `summary.json` has them.
public struct ExplorationSummary: Codable, Hashable, Sendable {
    /// Version of this format.
    public var schemaVersion = 1
    /// The profile's name.
    public let profile: String
    /// Decides every schedule.
    public let seed: UInt64
    /// `passed`, `failed`, or `notJudged` where nothing broke and something that was asked was not
    /// judged.
    public let verdict: String
    /// What the exploration may claim.
    public let statement: String
    /// Whether everything was played that was asked for.
    public let isWhole: Bool
    /// How many schedules were played.
    public let schedules: Int
    /// How many of them were different.
    public let distinctSchedules: Int
    /// How many different things the server saw.
    public let distinctServerViews: Int
    /// After how many schedules something of an app was there still, with its world.
    public let leftBehind: Int
    /// The users whose apps those were.
    public let leftBehindUsers: [Int]
    /// How likely the next schedule shows the server something new.
    public let unseenProbability: Double
    /// Ordered pairs of kinds of things that were seen, and how many there can be.
    public let orderedPairs: Int
    /// How many ordered pairs there can be of the kinds that were seen together.
    public let possiblePairs: Int
    /// The most choices that a schedule had.
    public let choicesMax: Int
    /// How much later than due something may happen, in nanoseconds.
    public let windowNanoseconds: Int64
    /// What differed between the schedules.
    public let varied: [String]
    /// What could differ in real life and did not.
    public let notVaried: [String]
    /// The promises that no schedule could judge.
    public let notJudged: [Unjudged]
    /// What broke.
    public let findings: [Row]

    /// A promise that no schedule could judge.
    public struct Unjudged: Codable, Hashable, Sendable {
        /// The invariant's identifier.
        public let invariant: String
        /// The promise.
        public let claim: String
        /// What no schedule showed.
        public let missing: [String]
        /// Whether the verdict needs it.
        public let isAskedFor: Bool
    }

    /// One finding.
    public struct Row: Codable, Hashable, Sendable {
        /// The invariant's identifier.
        public let invariant: String
        /// What went wrong.
        public let text: String
        /// The how-manieth schedule was the first to show it.
        public let schedule: Int
        /// How many schedules showed it.
        public let count: Int
        /// Departures from first in, first out, before and after it was made smaller.
        public let departuresBefore: Int
        /// Departures that are enough.
        public let departures: Int
        /// Whether every schedule with fewer was played, and keeps the promise.
        public let isFewest: Bool
        /// The order without which it does not happen; empty when it needs none.
        public let orderThatMatters: String
    }

    init(_ exploration: Exploration, profile: String) {
        let coverage = exploration.coverage
        self.profile = profile
        seed = exploration.plan.seed
        verdict = exploration.verdict.rawValue
        statement = exploration.statement
        isWhole = exploration.isWhole
        schedules = coverage.schedules
        distinctSchedules = coverage.distinctSchedules
        distinctServerViews = coverage.distinctViews
        leftBehind = coverage.leftBehind
        leftBehindUsers = coverage.leftBehindUsers.sorted()
        unseenProbability = coverage.unseen
        orderedPairs = coverage.pairs.count
        possiblePairs = coverage.pairs.possibleCount
        choicesMax = coverage.longest
        windowNanoseconds = exploration.plan.windowNanoseconds
        varied = exploration.variation.varied
        notVaried = exploration.variation.fixed
        notJudged = exploration.notJudged.map { judgement in
            Unjudged(
                invariant: judgement.question.invariant.id,
                claim: judgement.question.invariant.claim, missing: judgement.missing,
                isAskedFor: judgement.question.isAskedFor)
        }
        findings = exploration.findings.map { finding in
            Row(
                invariant: finding.violation.invariant, text: finding.violation.text,
                schedule: finding.schedule, count: finding.count,
                departuresBefore: finding.choicesBefore, departures: finding.departures,
                isFewest: finding.isFewest,
                orderThatMatters: finding.orderThatMatters ?? "")
        }
    }
}
