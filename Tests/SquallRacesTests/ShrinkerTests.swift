import SquallKernel
import Synchronization
import TestSupport
import Testing

@testable import SquallRaces

@Suite("Making a finding smaller")
struct ShrinkerTests {
    @Test("A finding with two departures is called minimal once all with one were played")
    func fewest() throws {
        let exploration = try Explorer(.small(300, window: 100, strategy: "random"))
            .explore(Programs.messages(5))
        let finding = try #require(exploration.findings.first)
        #expect(finding.departures == 2 && finding.isFewest)
        #expect(finding.size.hasSuffix("reorderings to 2 (minimal)"))
    }

    @Test("A finding is not called minimal without plays for all schedules with fewer departures")
    func unsearched() throws {
        let exploration = try Explorer(.small(300, window: 100, strategy: "random", shrinking: 4))
            .explore(Programs.messages(5))
        let finding = try #require(exploration.findings.first)
        #expect(finding.departures > 1 && !finding.isFewest && !finding.size.contains("fewest"))
    }

    @Test(
        "A detour is made one departure, which leaving some out alone does not come to",
        arguments: [[1, 1], [1, 1, 1]] as [[UInt16]])
    func detour(choices: [UInt16]) throws {
        let broken = BrokenSchedule(
            violation: Violation("X3", "heads"), choices: choices, schedule: 1)
        let finding = try Shrinker(.small(10), isOver: { false })
            .finding(of: broken, in: Detour(length: choices.count), fifo: nil)
        #expect(finding.choices == [0, 0, 0, 1] && finding.isFewest)
    }

    @Test("A finding of first in, first out takes no departure, which is the fewest")
    func noDeparture() throws {
        // Leaving out one of the two alone breaks nothing.
        let subject = ClosureSubject { schedule in
            let departures = Coins.flip(2, schedule)
            return Coins.played(schedule, isWrong: departures[0] == departures[1])
        }
        let broken = BrokenSchedule(
            violation: Violation("X3", "heads"), choices: [1, 1], schedule: 1)
        let finding = try Shrinker(.small(10), isOver: { false })
            .finding(of: broken, in: subject, fifo: nil)
        #expect(finding.departures == 0 && finding.isFewest)
    }

    @Test("Fewer departures are sought as far as plays do for all of a number")
    func plays() throws {
        func count(_ shrinking: Int) throws -> (plays: Int, departures: Int) {
            let plays = Mutex(0)
            let subject = ClosureSubject { schedule in
                plays.withLock { $0 += 1 }
                let departures = (0..<6).map { schedule.strikes("coin \($0)") }
                let isWrong = departures.count(where: { $0 }) == 4
                return Played(schedule, violations: isWrong ? [Violation("X3", "heads")] : [])
            }
            let broken = BrokenSchedule(
                violation: Violation("X3", "heads"), choices: [1, 1, 1, 1],
                schedule: 1)
            let finding = try Shrinker(
                .small(10, shrinking: shrinking), isOver: { false }
            ).finding(of: broken, in: subject, fifo: nil)
            return (plays.withLock { $0 }, finding.departures)
        }
        // Six schedules have one departure, fifteen two, twenty three.
        let counts = try [6, 7, 21, 22, 41, 42].map { try count($0) }
        #expect(counts.map(\.departures) == [4, 4, 4, 4, 4, 4])
        #expect(counts.map(\.plays) == [10, 17, 26, 26, 41, 41])
    }

    @Test("Shrinking all findings makes no more choices than the budget, and each is shown")
    func budget() throws {
        let choices = Mutex(0)
        let subject = ClosureSubject { schedule in
            let departures = Coins.flip(40, schedule)
            choices.withLock { $0 += schedule.choices.count }
            return Coins.played(schedule, isWrong: departures.count { $0 } > 3)
        }
        let reduction = Reduction(most: 2_000)
        for _ in 0..<3 {
            let broken = BrokenSchedule(
                violation: Violation("X3", "heads"),
                choices: Array(repeating: 1, count: 40), schedule: 1)
            let finding = try Shrinker(
                .small(10, shrinking: 1_000_000), reduction, isOver: { false }
            ).finding(of: broken, in: subject, fifo: nil)
            #expect(finding.departures > 3 && !finding.isFewest)
        }
        // One more play may begin before it is spent, and each finding is played for its picture.
        #expect(reduction.isOver && choices.withLock { $0 } < 2_000 + 60 + 3 * 3 * 40)
    }

    @Test("A finding is shown as it was found once the time for shrinking is over")
    func over() throws {
        let plays = Mutex(0)
        let subject = ClosureSubject { schedule in
            plays.withLock { $0 += 1 }
            let isWrong = Coins.flip(2, schedule).contains(true)
            return Coins.played(schedule, isWrong: isWrong)
        }
        let broken = BrokenSchedule(
            violation: Violation("X3", "heads"), choices: [1, 1], schedule: 1)
        let finding = try Shrinker(.small(10), isOver: { true })
            .finding(of: broken, in: subject, fifo: nil)
        // It is played for its picture, and so is its twin.
        #expect(finding.choices == [1, 1] && !finding.isFewest && plays.withLock { $0 } == 2)
    }

    @Test("Findings of one promise, cause and kind of choice are one, and their counts add up")
    func merged() throws {
        func finding(_ invariant: String, _ cause: String, _ labels: [EventLabel]) -> Finding {
            let schedule = Schedule(
                ReplayedSchedule([1]), windowNanoseconds: 0, keepsHistory: true)
            var policy = schedule.policy
            let ready = labels.enumerated().map { place, label in
                ReadyEvent(.message, label, of: .init(number: 0), ordinal: UInt64(place))
            }
            if !ready.isEmpty { _ = policy.choose(among: ready) }
            let violation = Violation(invariant, "", cause: cause)
            let played = Played(schedule, violations: [violation])
            return Finding(
                violation: violation, schedule: 1, count: 2, windowNanoseconds: 0, choices: [1],
                choicesBefore: 1, isFewest: false, needsNoOrder: false,
                subject: ClosureSubject { _ in played }, played: played, twin: played)
        }
        let first = finding("X1", "a", ["one", "two"])
        func counts(_ other: Finding) -> [Int] { [first, other].mergedByCause.map(\.count) }
        #expect(counts(first) == [4])
        for other in [
            finding("X2", "a", ["one", "two"]), finding("X1", "b", ["one", "two"]),
            finding("X1", "a", ["one", "three"]), finding("X1", "a", ["three", "two"]),
            finding("X1", "a", []),
        ] { #expect(counts(other) == [2, 2]) }
    }

    @Test("A finding shows what broke for its own cause, else its own promise, else what it was")
    func ownCause() throws {
        let subject = ClosureSubject { schedule in
            Played(
                schedule,
                violations: [
                    Violation("X1", "a", cause: "one"), Violation("X1", "b", cause: "two"),
                ])
        }
        func text(_ invariant: String, _ cause: String) throws -> String {
            let broken = BrokenSchedule(
                violation: Violation(invariant, "before", cause: cause),
                choices: [], schedule: 1)
            return try Shrinker(.small(10), isOver: { false })
                .finding(of: broken, in: subject, fifo: nil).violation.text
        }
        #expect(try text("X1", "two") == "b")
        #expect(try text("X1", "gone") == "a")
        #expect(try text("X2", "two") == "before")
    }

    @Test(
        "A finding needs no rare order only if the original scenario shows it in the default order")
    func asGiven() throws {
        let exploration = try Explorer(.small(200, strategy: "random"))
            .explore(Reducible(isReduced: false))
        let finding = try #require(exploration.findings.first)
        #expect(finding.departures == 0 && !finding.needsNoOrder)
        #expect(
            finding.conditions.hasPrefix("the minimised scenario fails in the default order;"))
    }

    @Test("A simpler scenario that takes more departures is not taken")
    func moreDepartures() throws {
        let exploration = try Explorer(.small(50, strategy: "random"))
            .explore(Harder(isReduced: false))
        let finding = try #require(exploration.findings.first)
        #expect((finding.subject as? Harder)?.isReduced == false)
        #expect(finding.departures == 0 && finding.needsNoOrder)
        #expect(finding.conditions == "fails in the default order")
    }
}

/// Four choices of two; wrong when the last alone is a departure, or some of the first alone are.
private struct Detour: RaceSubject {
    let length: Int

    func play(_ schedule: Schedule) throws -> Played {
        let departures = Coins.flip(4, schedule)
        let isDetour = departures == (0..<4).map { $0 < length }
        let isWrong = departures == [false, false, false, true] || isDetour
        return Coins.played(schedule, isWrong: isWrong)
    }
}

/// Wrong when its second choice is a departure; without its first act, always.
private struct Reducible: RaceSubject {
    let isReduced: Bool

    func play(_ schedule: Schedule) throws -> Played {
        let departures = Coins.flip(2, schedule)
        return Coins.played(schedule, isWrong: isReduced || departures[1])
    }

    var simpler: [any RaceSubject] { isReduced ? [] : [Reducible(isReduced: true)] }
}

/// Always wrong; without its first act only when its second choice is a departure.
private struct Harder: RaceSubject {
    let isReduced: Bool

    func play(_ schedule: Schedule) throws -> Played {
        let departures = Coins.flip(2, schedule)
        return Coins.played(schedule, isWrong: !isReduced || departures[1])
    }

    var simpler: [any RaceSubject] { isReduced ? [] : [Harder(isReduced: true)] }
}

private enum Coins {
    static func flip(_ count: Int, _ schedule: Schedule) -> [Bool] {
        (0..<count).map { schedule.strikes("coin \($0)") }
    }

    static func played(_ schedule: Schedule, isWrong: Bool) -> Played {
        Played(schedule, violations: isWrong ? [Violation("X3", "heads")] : [])
    }
}
