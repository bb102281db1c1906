public import SquallFormat
import SquallKernel

/// What an exploration found.
public struct Exploration: Sendable {
    /// The plan that it followed.
    public let plan: ExplorationPlan
    /// The promises that it was asked about.
    public let questions: [RaceQuestion]
    /// What differed between the schedules, and what did not.
    public let variation: ScheduleVariation
    /// The part of all behaviour that was seen.
    public internal(set) var coverage = Coverage()
    /// What broke, each cause once, in the order of finding.
    public internal(set) var findings: [Finding] = []
    /// The run in first in, first out.
    public internal(set) var fifo: Played?
    /// False if it ran out of time or was stopped before everything asked for was played.
    public internal(set) var isWhole = true
    /// True if it was asked to stop before that.
    public internal(set) var wasInterrupted = false
    /// The schedules that a fault of the simulation ended.
    public internal(set) var faults: [ScheduleFault] = []
    /// The plays that were spent on making findings smaller.
    public internal(set) var reduction = Reduction(after: Coverage())
    /// The number of departures up to which every schedule was played; `nil` for not even 0.
    public internal(set) var exhausted: Int?

    /// The part of the wanted schedules that the result rests on.
    public var extent: Extent {
        let asked = plan.nanoseconds == nil && plan.deviations == nil ? plan.schedules : nil
        return Extent(
            coverage.schedules, of: isWhole ? coverage.schedules : asked, "schedule",
            wasInterrupted: wasInterrupted)
    }

    init(_ plan: ExplorationPlan, of subject: any RaceSubject) {
        self.plan = plan
        questions = subject.questions
        variation = subject.variation
    }

    /// The first schedule, counted from 1, that broke something; `nil` when none did.
    public var firstBroken: Int? { findings.map(\.schedule).min() }

    private var played: String { Units.grouped(Int64(coverage.schedules)) }

    /// The claim that the run may make, as a sentence.
    public var statement: String {
        if let exhausted, findings.isEmpty {
            return exhausted == 0
                ? "no violation in the default order"
                : "no violation in all \(played) schedules with ≤ \(exhausted)"
                    + " reorderings of the default order"
        }
        guard findings.isEmpty else {
            return "\(Units.grouped(Int64(coverage.broken))) of \(played) schedules break a promise"
        }
        guard coverage.schedules > 0 else { return "nothing was played" }
        // If a share p of all schedules broke it, none of n would with probability (1 − p)ⁿ.
        let bound = 1 - PortableMath.exp(PortableMath.log(0.05) / Double(coverage.schedules))
        return "0 of \(played) schedules: fewer than \(Units.percent(bound)) of"
            + " schedules break a promise (95 % confidence)"
    }
}

extension Exploration {
    /// Not judged where nothing broke, and something that it was asked for was not judged.
    public var verdict: Verdict {
        if !findings.isEmpty { return .failed }
        if wasInterrupted { return .partial }
        return notJudged.contains { $0.question.isAskedFor } ? .notJudged : .passed
    }

    /// The result of each question.
    public var judgements: [RaceJudgement] {
        questions.map { RaceJudgement($0, coverage) }
    }

    /// The questions that no schedule could answer.
    public var notJudged: [RaceJudgement] { judgements.filter(\.isNotJudged) }

    /// The promises that were not judged, in a sentence for each reason.
    public var notJudgedSentences: [String] { Self.sentences(of: notJudged) }

    private static func sentences(of judgements: [RaceJudgement]) -> [String] {
        judgements.grouped(by: \.reason).map { reason, judgements in
            "not judged: \(judgements.map(\.title).joined(separator: ", ")): \(reason)"
        }
    }

    /// What must be read with the verdict: what was not judged and why, and, where nothing broke,
    /// what was varied and what was not.
    public var remarks: [String] {
        ended + notJudgedSentences + left + (findings.isEmpty ? variation.sentences : [])
    }

    /// The remarks of a brief text: what was not judged by its number alone.
    public var briefRemarks: [String] {
        let names = notJudged.map(\.question.invariant.id).joined(separator: ", ")
        return ended + (names.isEmpty ? [] : ["not judged: \(names)"]) + left
            + (findings.isEmpty ? variation.sentences : [])
    }

    /// A remark on objects that more than one world has used; nil without them.
    public static func warning(sharing names: [String]) -> String? {
        names.isEmpty
            ? nil
            : "shared between worlds, and so between users: \(names.joined(separator: ", "))"
    }

    private var ended: [String] {
        [
            extent.sentence,
            faults.sentence(of: coverage.schedules),
            reduction.isOver
                ? "minimising stopped at \(Units.grouped(Int64(reduction.most))) choices, so"
                    + " findings may be larger than they need be" : nil,
        ].compactMap(\.self)
    }

    /// A remark where objects of apps outlive their world, with the first such users.
    private var left: [String] {
        let users = coverage.leftBehindUsers.sorted()
        guard !users.isEmpty else { return [] }
        let named = users.prefix(5).map(String.init) + (users.count > 5 ? ["…"] : [])
        let owner = users.count == 1 ? "the app of user" : "the apps of users"
        return [
            "an object of \(owner) \(named.joined(separator: ", ")) outlived"
                + " \(coverage.leftBehind) of \(Units.counted(coverage.schedules, "schedule")):"
                + " a task ignores its cancellation and a closed network, or an object keeps"
                + " itself alive"
        ]
    }

    /// The statement, with the needed questions that were not judged, or the number of others.
    public var headline: String {
        let all = notJudged
        let needed = all.filter(\.question.isAskedFor)
        guard !all.isEmpty else { return statement }
        guard needed.isEmpty else {
            return ([statement] + Self.sentences(of: needed)).joined(separator: "; ")
        }
        return "\(statement); \(all.count) of \(questions.count) promises were not judged"
    }
}

/// A promise that a subject has to keep.
public struct RaceQuestion: Sendable {
    /// The promise, which its runs keep or break.
    public let invariant: RaceInvariant
    /// True for a promise that was asked for: an exploration that could not judge it has not
    /// passed.
    public let isAskedFor: Bool

    /// A question of its parts.
    public init(_ invariant: RaceInvariant, isAskedFor: Bool) {
        self.invariant = invariant
        self.isAskedFor = isAskedFor
    }
}

/// The judgement on a promise: kept, broken or not judged.
public struct RaceJudgement: Sendable {
    /// The question.
    public let question: RaceQuestion
    /// How many schedules showed all that the invariant needs.
    public let schedules: Int
    /// True as soon as any schedule has broken it.
    public let isBroken: Bool
    /// What it needs and no schedule showed, in words; all of it if none showed it together.
    public let missing: [String]

    /// True if no schedule showed what the promise needs to be judged, and none broke it.
    public var isNotJudged: Bool { schedules == 0 && !isBroken }

    /// The invariant's identifier and name: `S1 singleFlight`.
    public var title: String {
        let (id, name) = (question.invariant.id, question.invariant.name)
        return id == name ? id : "\(id) \(name)"
    }

    /// Why it was not judged, in words.
    public var reason: String { "no schedule shows " + missing.joined(separator: " and ") }

    init(_ question: RaceQuestion, _ coverage: Coverage) {
        self.question = question
        isBroken = coverage.brokenPromises.contains(question.invariant.id)
        let needs = question.invariant.needs
        schedules = coverage.showing(needs)
        let never = needs.subtracting(coverage.evidence)
        missing = (never.isEmpty ? needs : never).words
    }
}

/// The differences between the schedules of an exploration, and what is the same in all of them.
public struct ScheduleVariation: Hashable, Sendable {
    /// What differs between the schedules, each in a few words.
    public let varied: [String]
    /// What differs in real life but not here.
    public let fixed: [String]

    /// A variation of its parts.
    public init(varied: [String], fixed: [String]) {
        self.varied = varied
        self.fixed = fixed
    }
}

extension ScheduleVariation {
    /// The name of the window in reports.
    public static let window = "reordering window (how late an event may happen)"

    /// One sentence for what was varied, and one for what was not.
    public var sentences: [String] {
        [("varied", varied), ("not varied", fixed)].filter { !$0.1.isEmpty }.map {
            "\($0.0): \($0.1.joined(separator: ", "))"
        }
    }
}

/// A schedule that a fault of the simulation ended, such as a precondition that does not hold.
public struct ScheduleFault: Error, Hashable {
    /// Its number, from 1.
    public let schedule: Int
    /// What happened.
    public let reason: String

    /// The number of faults after which an exploration ends: what faults often needs no further
    /// examples, and each costs that all before it is played again.
    static let most = 20

    static func work(schedule: Int, seed: UInt64) -> String {
        "\(prefix(seed: seed))\(schedule)"
    }

    private static func prefix(seed: UInt64) -> String { "seed \(seed), schedule " }

    /// The last schedule that is played in an exploration of a seed.
    static func end(seed: UInt64) -> Int {
        let prefix = prefix(seed: seed)
        let known = Containment.faults.keys.filter { $0.hasPrefix(prefix) }
            .compactMap { Int($0.dropFirst(prefix.count)) }.ordered(by: <)
        return known.count < most ? .max : known[most - 1]
    }
}

extension [ScheduleFault] {
    /// How many of the schedules they are, with the first; nil without any.
    public func sentence(of schedules: Int) -> String? {
        guard let first else { return nil }
        let all = Units.counted(schedules + count, "schedule")
        return "\(count) of \(all) \(count == 1 ? "was" : "were") \(Containment.words);"
            + " schedule \(first.schedule): \(first.reason)"
    }
}
