import SquallDocument
import SquallFormat
import SquallReport
public import SquallRaces

/// An exploration and the files that are made of it.
public struct ExplorationResult: Sendable {
    /// The exploration itself.
    public let exploration: Exploration
    /// The profile's name.
    public let profile: String
    /// The question of the profile; may be empty.
    public let question: String
    private let build: String
    /// The program that replay commands begin with.
    let program: String

    /// Makes the results of a profile's exploration by one build of a program.
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

    /// The path of each finding's file within the folder: `findings/S4-1.json`.
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
                text: TimelineTrace(finding: finding).json.document
            )
        }
        return [
            ("summary.json", JSONDocument.text(summary)),
            ("report.html", document().html), ("junit.xml", junit),
        ] + findings + traces
    }

    /// Each promise as a test: passed, failed, or skipped where no schedule could judge it.
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
    /// The seed that decides every schedule.
    public let seed: UInt64
    /// `passed`, `failed`, or `notJudged` where nothing broke and a promise that was asked for was
    /// not judged.
    public let verdict: String
    /// What the exploration may conclude.
    public let statement: String
    /// Whether all the schedules asked for were played.
    public let isWhole: Bool
    /// How many schedules were played.
    public let schedules: Int
    /// How many of them were distinct.
    public let distinctSchedules: Int
    /// How many distinct sequences of events the server saw.
    public let distinctServerViews: Int
    /// After how many schedules an object of an app outlived its world.
    public let leftBehind: Int
    /// The users of those apps.
    public let leftBehindUsers: [Int]
    /// The probability that the next schedule shows the server something new.
    public let unseenProbability: Double
    /// The number of ordered pairs of event kinds that were seen.
    public let orderedPairs: Int
    /// The number of such pairs that are possible for kinds that were seen together.
    public let possiblePairs: Int
    /// The most choices in one schedule.
    public let choicesMax: Int
    /// How much later than due an event may happen, in nanoseconds.
    public let windowNanoseconds: Int64
    /// What differed between schedules.
    public let varied: [String]
    /// What can differ in real life but did not here.
    public let notVaried: [String]
    /// The promises that no schedule could judge.
    public let notJudged: [Unjudged]
    /// The promises that broke.
    public let findings: [Row]

    /// A promise that no schedule could judge.
    public struct Unjudged: Codable, Hashable, Sendable {
        /// The invariant's identifier.
        public let invariant: String
        /// What the invariant promises.
        public let claim: String
        /// What the promise needs and no schedule showed.
        public let missing: [String]
        /// Whether the verdict depends on it.
        public let isAskedFor: Bool
    }

    /// One finding.
    public struct Row: Codable, Hashable, Sendable {
        /// The invariant's identifier.
        public let invariant: String
        /// What went wrong.
        public let text: String
        /// The 1-based number of the first schedule that showed it.
        public let schedule: Int
        /// How many schedules showed it.
        public let count: Int
        /// Departures from first in, first out before the schedule was minimised.
        public let departuresBefore: Int
        /// Departures that are left in the minimised schedule.
        public let departures: Int
        /// Whether every schedule with fewer departures was played and keeps the promise.
        public let isFewest: Bool
        /// The order of events that the finding needs; empty where it needs none.
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
