public import SquallFormat
import SquallKernel
public import SquallLab
public import SquallRaces

/// An exploration and the files that are made of it; a class, since an exploration is not copied.
public final class ExplorationResult: Sendable {
    /// The exploration itself.
    public let exploration: Exploration
    /// The profile's name.
    public let profile: String
    /// The question of the profile; may be empty.
    public let experiment: String
    private let build: String
    /// The program that replay commands begin with.
    let program: String

    /// Makes the results of a profile's exploration by one build of a program.
    public init(
        _ exploration: Exploration, profile: String, experiment: String, replayBuild build: String,
        program: String
    ) {
        (self.exploration, self.profile, self.experiment) = (exploration, profile, experiment)
        (self.build, self.program) = (build, program)
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
                (name: name, text: JSONDocument.text(Checksummed($0)))
            }
        }
        let traces = zip(findingNames, exploration.findings).map { name, finding in
            (
                name: name.replacing(".json", with: ".trace.json"),
                text: finding.trace.document
            )
        }
        return [
            ("summary.json", summary.document),
            ("report.html", document().html), ("junit.xml", junit),
        ] + findings + traces
    }

    /// Each promise as a test: passed, failed, or skipped where no schedule could judge it.
    private var junit: String {
        let isCut = exploration.wasInterrupted
        let names = zip(exploration.findings, findingNames)
        let cases = exploration.judgements.map { judgement in
            JUnitSuite.Case(
                "promise", judgement.title,
                failures: names.filter {
                    $0.0.violation.invariant == judgement.question.invariant.id
                }
                .map { ($0.0.violation.text, "replay: squall replay \($0.1)") },
                skipped: isCut
                    ? exploration.extent.sentence : judgement.isNotJudged ? judgement.reason : nil)
        }
        let faults = exploration.faults.map { fault in
            JUnitSuite.Case(
                "simulation", "schedule \(fault.schedule)",
                failures: [(Containment.words, fault.reason)])
        }
        let said = ([exploration.statement] + exploration.remarks).joined(separator: "\n")
        return JUnitSuite.document([JUnitSuite(profile, cases + faults, said: said)])
    }

    /// The numbers of the exploration: the content of `summary.json`.
    public var summary: JSON {
        let (coverage, plan) = (exploration.coverage, exploration.plan)
        func count(_ number: Int) -> JSON { .integer(Int64(number)) }
        func list(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
        return [
            "schemaVersion": 2, "profile": .string(profile), "seed": .unsigned(plan.seed),
            // `notJudged` where nothing broke and a promise that was asked for was not judged.
            "verdict": .string(exploration.verdict.rawValue),
            "statement": .string(exploration.statement), "isComplete": .bool(exploration.isWhole),
            // Whole, partial or interrupted; and of how many schedules, where a number was asked.
            "extent": .string(exploration.extent.word),
            "schedulesRequested": exploration.extent.asked.map(count) ?? .null,
            // The schedules that a fault of the simulation ended, by number.
            "faults": .array(
                exploration.faults.map {
                    ["schedule": count($0.schedule), "reason": .string($0.reason)]
                }),
            // What was spent on making findings smaller, and the most that might have been.
            "choices": count(coverage.choices),
            "reductionChoices": count(exploration.reduction.spent),
            "reductionChoicesMax": count(exploration.reduction.most),
            "schedules": count(coverage.schedules),
            "distinctSchedules": count(coverage.distinctSchedules),
            "distinctServerViews": count(coverage.distinctViews),
            // After how many schedules an object of an app outlived its world, and whose.
            "leftBehind": count(coverage.leftBehind),
            "leftBehindUsers": .array(coverage.leftBehindUsers.sorted().map(count)),
            // That the next schedule shows the server something new.
            "unseenProbability": .number(coverage.unseen),
            // Pairs of kinds of events in an order that was seen, and in one that may be.
            "orderedPairs": count(coverage.pairs.count),
            "possiblePairs": count(coverage.pairs.possibleCount),
            "choicesMax": count(coverage.longest),
            "windowNanoseconds": .integer(plan.windowNanoseconds),
            "varied": list(exploration.variation.varied),
            // What can differ in real life but did not here.
            "notVaried": list(exploration.variation.fixed),
            "notJudged": .array(
                exploration.notJudged.map { judgement in
                    [
                        "invariant": .string(judgement.question.invariant.id),
                        "claim": .string(judgement.question.invariant.claim),
                        "missing": list(judgement.missing),
                        "isAskedFor": .bool(judgement.question.isAskedFor),
                    ]
                }),
            "findings": .array(
                exploration.findings.map { finding in
                    [
                        "invariant": .string(finding.violation.invariant),
                        "text": .string(finding.violation.text),
                        "schedule": count(finding.schedule), "count": count(finding.count),
                        // Departures from first in, first out, before it was minimised and after.
                        "reorderingsBefore": count(finding.choicesBefore),
                        "reorderings": count(finding.departures),
                        "isMinimal": .bool(finding.isFewest),
                        "decisiveOrder": .string(finding.orderThatMatters ?? ""),
                    ]
                }),
        ]
    }
}

/// An estimate of the time that exploring a profile takes, in a release build; good to a factor of
/// three.
public struct ExplorationEstimate: Hashable, Sendable {
    /// The most schedules that will be played.
    public let schedules: Int64
    /// The time that they take on one core, in seconds.
    public let seconds: Double
    /// The most time that making findings smaller takes, in seconds.
    public let reductionSeconds: Double

    /// The time of making a world and judging its history.
    private static let secondsEachSchedule = 400e-6
    private static let secondsEachCall = 60e-6
    private static let secondsEachChoice = 10e-6
    private static let callsEachAct = 3.0

    /// The estimate of a checked profile, with what it or the standard says of explorations.
    public init(_ profile: Profile) {
        let explore = profile.explore ?? .standard
        let few = RunEstimate(RaceScenario.few(of: profile)).requests
        let calls =
            explore.acts.isEmpty
            ? max(few, Self.callsEachAct) : Double(explore.acts.count) * Self.callsEachAct
        schedules = explore.schedules
        let all =
            Double(explore.schedules) * (Self.secondsEachSchedule + calls * Self.secondsEachCall)
        let limit = explore.nanoseconds.map { Double($0) / 1e9 } ?? .infinity
        seconds = min(all, limit)
        reductionSeconds = min(
            max(
                Double(Reduction.least) * Self.secondsEachChoice,
                seconds * Double(Reduction.share)),
            limit)
    }
}
