import SquallFormat
import SquallKernel
import Synchronization
import TestSupport
import Testing

@testable import SquallRaces

@Suite("Exploring")
struct ExplorerTests {
    @Test("It tells how many schedules were played, and which finding it makes smaller")
    func progress() throws {
        var (schedules, reductions) = ([Int](), [String]())
        let told: (Explorer.Progress) -> Void = { step in
            switch step {
            case .schedules(let count): schedules.append(count)
            case .reduction(let number, let count): reductions.append("\(number) of \(count)")
            }
        }
        let explorer = Explorer(.small(300, window: 100, strategy: "random"), progress: told)
        let exploration = try explorer.explore(Programs.messages(5))
        #expect(schedules == Array(0..<exploration.coverage.schedules))
        #expect(!reductions.isEmpty)
        #expect(reductions == (1...reductions.count).map { "\($0) of \(reductions.count)" })
    }

    @Test(
        "Exhaustive plays every schedule with so many departures once",
        arguments: [(0, 1), (1, 4), (2, 6), (3, 6)])
    func exhaustive(deviations: Int, schedules: Int) throws {
        let exploration = try Explorer(.small(1_000, deviations: deviations))
            .explore(Programs.crowd(3))
        #expect(exploration.coverage.schedules == schedules)
        #expect(exploration.coverage.distinctSchedules == schedules)
        #expect(exploration.exhausted == deviations && exploration.isWhole)
    }

    @Test(
        "An exhaustive exploration needs exactly as many plays as there are schedules",
        arguments: [(1, 4), (2, 6), (3, 6)])
    func exactly(deviations: Int, schedules: Int) throws {
        for count in schedules - 2...schedules {
            let exploration = try Explorer(.small(count, deviations: deviations))
                .explore(Programs.crowd(3))
            #expect(exploration.coverage.distinctSchedules == count)
            #expect(exploration.isWhole == (count == schedules))
        }
    }

    @Test("An exhaustive exploration that may end at its first finding is whole there")
    func enough() throws {
        let exploration = try Explorer(.small(1_000, deviations: 2, findingsMax: 1))
            .explore(Programs.crowd(3))
        #expect(exploration.findings.count == 1 && exploration.coverage.schedules < 6)
        #expect(exploration.isWhole)
    }

    @Test("The statement of a clean exhaustive exploration is the guarantee")
    func guarantee() throws {
        let subject = ClosureSubject { schedule in
            try Programs.crowd(3).play(schedule).withoutViolations(schedule)
        }
        let exploration = try Explorer(.small(1_000, deviations: 2)).explore(subject)
        #expect(
            exploration.statement
                == "no violation in all 6 schedules with ≤ 2 reorderings of the default order")
    }

    @Test("Without a reordering the statement is about the default order")
    func noDepartures() throws {
        let subject = ClosureSubject { schedule in
            try Programs.crowd(3).play(schedule).withoutViolations(schedule)
        }
        let exploration = try Explorer(.small(1_000, deviations: 0)).explore(subject)
        #expect(exploration.statement == "no violation in the default order")
    }

    @Test("A clean sample says how likely a violation can still be")
    func ruleOfThree() throws {
        let subject = ClosureSubject { schedule in
            try Programs.crowd(2).play(schedule).withoutViolations(schedule)
        }
        let exploration = try Explorer(.small(300)).explore(subject)
        #expect(exploration.statement.hasPrefix("0 of 300 schedules"))
        #expect(
            exploration.statement.hasSuffix(
                "fewer than 0.994 % of schedules break a promise (95 % confidence)"))
    }

    @Test("An exploration that was cut short claims no guarantee")
    func cut() throws {
        let exploration = try Explorer(.small(2, deviations: 2), isStopped: { true })
            .explore(Programs.crowd(3))
        #expect(exploration.exhausted == nil && !exploration.isWhole)
    }

    @Test(
        "Where time is limited no schedule begins once it has passed, but for the very first",
        arguments: [(0, 1), (10, 10)] as [(Int64, Int)])
    func limited(nanoseconds: Int64, schedules: Int) throws {
        let plays = Mutex<Int64>(0)
        let subject = ClosureSubject { schedule in
            plays.withLock { $0 += 1 }
            return try Programs.crowd(2).play(schedule).withoutViolations(schedule)
        }
        var plan = ExplorationPlan.small(300)
        plan.nanoseconds = nanoseconds
        let exploration = try Explorer(plan, elapsed: { plays.withLock { $0 } }).explore(subject)
        #expect(exploration.coverage.schedules == schedules)
    }

    @Test(
        "The findings of an exploration do not depend on the number of threads",
        arguments: Strategy.all.map(\.name))
    func threads(strategy: String) throws {
        let found = try [1, 4].map { threads in
            let plan = ExplorationPlan.small(
                700, window: 100, threads: threads, strategy: strategy)
            let exploration = try Explorer(plan).explore(Programs.messages(5))
            let coverage = exploration.coverage
            let findings = exploration.findings.map {
                "\($0.schedule) \($0.count) \($0.choicesBefore) \($0.choices) \($0.played.digest)"
            }
            return [
                exploration.statement, "\(coverage.distinctSchedules) \(coverage.distinctViews)",
                "\(coverage.pairs.all) \(coverage.longest) \(coverage.widest)",
            ] + findings
        }
        #expect(found[0] == found[1])
    }

    @Test(
        "Every strategy but first in, first out finds an order of four messages within the window",
        arguments: Strategy.all.map(\.name).filter { $0 != "fifo" })
    func strategies(strategy: String) throws {
        let plan = ExplorationPlan.small(2_000, window: 100, strategy: strategy)
        #expect(try Explorer(plan).explore(Programs.messages(5)).findings.count == 1)
        let timed = ExplorationPlan.small(300, window: 0, strategy: strategy)
        #expect(try Explorer(timed).explore(Programs.messages(5)).findings.isEmpty)
    }

    @Test(
        "A round has half as many schedules as were played, within bounds; fewer if they are long",
        arguments: [
            (0, 1, 128), (257, 1, 128), (258, 1, 129), (2_047, 1, 1_023), (2_048, 1, 1_024),
            (9_999, 1, 1_024), (9_999, 8_192, 1_024), (9_999, 8_193, 1_023), (0, 65_536, 128),
            (0, 65_537, 127), (0, 8 << 20, 1), (0, 9 << 20, 1), (0, 0, 128),
        ])
    func rounds(played: Int, longest: Int, count: Int) {
        #expect(Explorer.round(after: played, longest: longest) == count)
    }

    @Test("A changed schedule has one to five choices changed, which may stand anywhere")
    func mutation() throws {
        let parent = Array(repeating: UInt16(9), count: 40)
        var lesson = Strategy.Lesson()
        lesson.remember(parent, number: 0)
        let ready = (0..<12 as Range<UInt64>).map {
            ReadyEvent(.task, "task", of: .init(number: $0), ordinal: $0)
        }
        let children = (0..<2_000 as Range<UInt64>).map { number in
            let draw = RandomStream(seed: 5).stream(number: number)
            var policy = Strategy.mutation.policy(draw, lesson)
            return parent.map { _ in policy.choose(among: ready) }
        }
        // One that is left out shows at the end, where nothing is left to choose.
        let changed = children.map { child in child.indices.filter { child[$0] != 9 } }
        #expect(Set(changed.map(\.count)) == [1, 2, 3, 4, 5])
        #expect(Set(changed.filter { $0.count == 1 }.compactMap(\.first)) == Set(0..<40))
        #expect(Set(children.flatMap { $0 }) == [0, 1, 2, 3, 4, 5, 9])
    }

    @Test("Several strategies are drawn by their shares, and a few schedules prove little")
    func mixture() throws {
        var plan = ExplorationPlan.small(300)
        plan.strategies = [.init(name: "fifo", weight: 1), .init(name: "random", weight: 1)]
        let broken = try Explorer(plan).explore(Programs.crowd(3)).coverage.broken
        // Half of them are in another order, a third of those begins with the last.
        #expect((25...75).contains(broken))
        let few = ExplorationPlan.small(10, window: 0)
        let statement = try Explorer(few).explore(Programs.messages(5)).statement
        #expect(statement.contains("fewer than 25.9 % of schedules"))
    }

    @Test("A finding keeps no departure that it can do without")
    func shrinking() throws {
        let exploration = try Explorer(.small(300, window: 1_000, strategy: "random"))
            .explore(Programs.messages(20))
        let finding = try #require(exploration.findings.first)
        #expect(finding.choicesBefore > 4 && finding.departures <= 2)
        #expect(!finding.needsNoOrder)
        let again = try Programs.messages(20).play(
            Schedule(ReplayedSchedule(finding.choices), windowNanoseconds: 1_000))
        #expect(again.digest == finding.played.digest && again.violations.count == 1)
    }

    @Test("Findings of one cause are one, with a count")
    func merging() throws {
        let exploration = try Explorer(.small(400)).explore(Programs.crowd(3))
        #expect(exploration.findings.count == 1)
        #expect(exploration.findings.first.map { $0.count > 50 } == true)
    }

    @Test("The chance of a new schedule is the share of those seen once")
    func goodTuring() throws {
        let exploration = try Explorer(.small(600)).explore(Programs.crowd(3))
        #expect(exploration.coverage.distinctViews == 6)
        #expect(exploration.coverage.unseen == 0)
    }

    @Test("Every invariant has an identifier and a name of its own, and a claim")
    func invariants() {
        let all = RaceInvariant.all
        #expect(Set(all.map(\.id)).count == all.count && Set(all.map(\.name)).count == all.count)
        for invariant in all {
            #expect(invariant.claim.hasSuffix("."))
            #expect(RaceInvariant.named(invariant.name)?.id == invariant.id)
        }
        let known = Set(all.map(\.id))
        #expect((1...17).allSatisfy { known.contains("S\($0)") })
        #expect((1...7).allSatisfy { known.contains("L\($0)") })
    }

    @Test("Every kind of evidence that an invariant needs has words of its own")
    func words() {
        let needs = RaceInvariant.all.map(\.needs)
        let all = needs.reduce(Evidence()) { $0.union($1) }
        #expect(all.words.count == all.rawValue.nonzeroBitCount)
        #expect(Set(all.words).count == all.words.count)
        #expect(RaceInvariant.standing.allSatisfy { RaceInvariant.named($0) != nil })
    }

    @Test("Two runs with half of the needed evidence each leave an invariant not judged")
    func halves() throws {
        let halves: [Evidence] = [.refresh, .crowd]
        let subject = EvidenceSubject(shows: halves, needs: [.refresh, .crowd])
        let exploration = try Explorer(.small(20, strategy: "random")).explore(subject)
        #expect(exploration.verdict == .notJudged)
        #expect(exploration.notJudged.first?.missing == ["a refresh", "eight users"])
        let whole = EvidenceSubject(
            shows: halves + [[.refresh, .crowd]], needs: [.refresh, .crowd])
        let judged = try Explorer(.small(20, strategy: "random")).explore(whole)
        #expect(judged.verdict == .passed && judged.judgements[0].schedules > 0)
    }

    @Test(
        "Users whose app outlives its schedule are named, and the verdict stays",
        arguments: zip(
            [[3], [4, 1], Set(0..<7)] as [Set<Int>],
            [
                "the app of user 3", "the apps of users 1, 4",
                "the apps of users 0, 1, 2, 3, 4, …",
            ]))
    func leftBehind(users: Set<Int>, whose: String) throws {
        let subject = EvidenceSubject(shows: [.refresh], needs: .refresh, leftBehind: users)
        let exploration = try Explorer(.small(20, strategy: "random")).explore(subject)
        let schedules = exploration.coverage.schedules
        let remark = "an object of \(whose) outlived \(schedules) of \(schedules) schedules"
        #expect(exploration.remarks.contains { $0.hasPrefix(remark) })
        #expect(exploration.verdict == .passed && exploration.coverage.leftBehind == schedules)
        #expect(exploration.coverage.leftBehindUsers == users)
    }

    @Test("A schedule that is given up in the middle ends the exploration with what there is")
    func stoppedWithin() throws {
        let plays = Mutex(0)
        let subject = ClosureSubject { schedule in
            let number = plays.withLock { plays in
                plays += 1
                return plays
            }
            guard number <= 200 else { throw StopRequested() }
            return try Programs.crowd(3).play(schedule)
        }
        let exploration = try Explorer(
            .small(1_000), isStopped: { plays.withLock { $0 > 200 } }
        ).explore(subject)
        #expect((1...200).contains(exploration.coverage.schedules) && !exploration.isWhole)
    }

    @Test("A promise whose finding was cut off is broken, whatever evidence it needs")
    func cutOff() throws {
        let subject = BrokenOnce()
        let exploration = try Explorer(.small(1), isStopped: { subject.wasPlayed })
            .explore(subject)
        #expect(exploration.coverage.broken == 1 && exploration.findings.isEmpty)
        #expect(exploration.judgements.map(\.isBroken) == [true])
        #expect(exploration.notJudged.isEmpty && exploration.verdict == .partial)
    }

    @Test("Of very many schedules a sample is kept that tells how many were different")
    func sample() {
        var sample = DistinctSample()
        let count: UInt64 = 1_000_000
        for number in 0..<count {
            var hash = StableHash()
            hash.mix(number)
            _ = sample.note(hash.value)
            if number % 2 == 0 { _ = sample.note(hash.value) }
            if number == 60_000 { #expect(sample.isExact && sample.count == 60_001) }
        }
        #expect(!sample.isExact)
        #expect((Double(sample.count) / Double(count) - 1).magnitude < 0.02)
        #expect((Double(sample.singletons) / Double(count) - 0.5).magnitude < 0.02)
    }
}

/// Shows one thing or another, as the schedule chooses.
private struct EvidenceSubject: RaceSubject {
    let shows: [Evidence]
    let needs: Evidence
    var leftBehind: Set<Int> = []

    func play(_ schedule: Schedule) throws -> Played {
        let simulation = Simulation(schedule)
        let first = Mutex<Int?>(nil)
        for number in shows.indices {
            simulation.spawn { first.withLock { $0 = $0 ?? number } }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 1))
        let shown = first.withLock { $0 } ?? 0
        var played = Played(schedule, violations: [], evidence: shows[shown])
        played.leftBehind = leftBehind
        return played
    }

    var questions: [RaceQuestion] {
        [
            RaceQuestion(
                RaceInvariant("X1", "It holds.", needs: needs) { _ in [] }, isAskedFor: true)
        ]
    }
}

/// Breaks its promise without the evidence that this needs, and is given up when played again.
private final class BrokenOnce: RaceSubject {
    private let plays = Mutex(0)
    var wasPlayed: Bool { plays.withLock { $0 > 0 } }

    func play(_ schedule: Schedule) throws -> Played {
        guard !wasPlayed else { throw StopRequested() }
        plays.withLock { $0 += 1 }
        return Played(schedule, violations: [Violation("X1", "it does not hold")])
    }

    var questions: [RaceQuestion] {
        EvidenceSubject(shows: [], needs: .crowd).questions
    }
}

extension Played {
    /// The same without what is wrong.
    func withoutViolations(_ schedule: Schedule) -> Played {
        Played(schedule, violations: [], serverView: serverView, digest: digest)
    }
}
