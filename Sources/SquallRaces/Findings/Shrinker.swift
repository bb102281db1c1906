import SquallFormat
import SquallKernel
import Synchronization

/// Makes what breaks a promise smaller: fewer departures first, then the scenario, then the rest.
///
/// The same invariant must break in every step. A schedule is a list of choices, every list is a
/// valid one, and 0 is the choice of first in, first out: so smaller means more zeros and shorter
/// (much as the shortlex order of Hypothesis's reducer). The scenario names its own simpler
/// versions; one is used where it needs no more departures. In the end every schedule with fewer
/// departures is played, as far as the plan's number of plays allows.
public struct Shrinker {
    private let plan: ExplorationPlan
    private let reduction: Reduction
    private let isOver: @Sendable () -> Bool

    /// A shrinker for the findings of an exploration; leaves them unchanged once `isOver` says so
    /// or their common budget is spent.
    init(
        _ plan: ExplorationPlan, _ reduction: Reduction = Reduction(after: Coverage()),
        isOver: @escaping @Sendable () -> Bool
    ) {
        self.plan = plan
        self.reduction = reduction
        self.isOver = isOver
    }

    /// The smallest finding that a broken schedule leads to.
    ///
    /// - Throws: what prevents playing a subject.
    func finding(
        of broken: BrokenSchedule, in subject: any RaceSubject, fifo: Played?
    ) throws -> Finding {
        let needsNoOrder = fifo?.breaks(broken.violation) ?? false
        // Each play of a hang leaves what its code had: few have to do.
        let playsMax = min(
            plan.shrinkingPlaysMax, broken.violation.invariant == Violation.hang ? 40 : .max)
        var search = Search(
            violation: broken.violation, plan: plan, subject: subject,
            choices: needsNoOrder ? [] : broken.choices, playsLeft: playsMax,
            reduction: reduction, isOver: isOver)
        try search.shrinkSchedule()
        try search.shrinkScenario()
        try search.shrinkSchedule()
        try search.searchFewer()
        let played = try search.play(search.choices, keepsHistory: true)
        let twin = try search.play([], keepsHistory: true)
        return Finding(
            violation: played.violation(like: broken.violation) ?? broken.violation,
            schedule: broken.schedule, count: broken.count,
            windowNanoseconds: plan.windowNanoseconds, choices: search.choices,
            choicesBefore: broken.choices.count { $0 > 0 }, isFewest: search.isFewest,
            needsNoOrder: needsNoOrder, subject: search.subject, played: played, twin: twin)
    }
}

/// One finding while it shrinks.
private struct Search {
    let violation: Violation
    let plan: ExplorationPlan
    var subject: any RaceSubject
    var choices: [UInt16]
    var playsLeft: Int
    let reduction: Reduction
    let isOver: @Sendable () -> Bool
    /// True as soon as every schedule with fewer departures is known to keep the promise.
    private(set) var isFewest = false
    /// The schedules of the scenario that keep it, by their hashes: each round tries again what
    /// the last one left, and a play costs a thousand look-ups.
    var kept: Set<UInt64> = []

    func play(_ choices: [UInt16], keepsHistory: Bool = false) throws -> Played {
        try subject.play(
            Schedule(
                ReplayedSchedule(choices), windowNanoseconds: plan.windowNanoseconds,
                keepsHistory: keepsHistory))
    }

    private mutating func breaks(_ choices: [UInt16], _ subject: any RaceSubject) throws -> Bool {
        guard playsLeft > 0, !reduction.isOver, !isOver() else { return false }
        playsLeft -= 1
        let played = try subject.play(
            Schedule(ReplayedSchedule(choices), windowNanoseconds: plan.windowNanoseconds))
        reduction.note(played)
        return played.breaks(violation)
    }

    /// Keeps a smaller schedule if it still breaks the promise.
    private mutating func take(_ candidate: [UInt16]) throws -> Bool {
        var hash = StableHash()
        for choice in candidate { hash.mix(Int(choice)) }
        guard !kept.contains(hash.value) else { return false }
        guard try breaks(candidate, subject) else {
            kept.insert(hash.value)
            return false
        }
        choices = candidate
        return true
    }

    mutating func shrinkSchedule() throws {
        var size: [Int] = []
        while size != weight {
            size = weight
            try cutEnd()
            try zeroBlocks()
            try lowerValues()
            try deleteEntries()
        }
    }

    private var departures: Int { choices.count { $0 > 0 } }

    /// Fewer departures are smaller, then shorter schedules, then lower choices.
    private var weight: [Int] {
        [departures, choices.count, choices.reduce(0) { $0 + Int($1) }]
    }

    /// Cuts to the shortest beginning that is enough, by halves.
    private mutating func cutEnd() throws {
        while choices.last == 0 { choices.removeLast() }
        var (low, high) = (0, choices.count)
        while low < high {
            let middle = (low + high) / 2
            let isEnough = try breaks(Array(choices[..<middle]), subject)
            if isEnough { high = middle } else { low = middle + 1 }
        }
        if high < choices.count { _ = try take(Array(choices[..<high])) }
        while choices.last == 0 { choices.removeLast() }
    }

    /// Runs Zeller and Hildebrandt's ddmin over the departures: halves, quarters, down to single
    /// ones.
    private mutating func zeroBlocks() throws {
        var size = max(1, choices.count { $0 > 0 } / 2)
        while true {
            let places = choices.indices.filter { choices[$0] > 0 }
            var begin = 0
            while begin < places.count {
                var candidate = choices
                for place in places[begin..<min(begin + size, places.count)] {
                    candidate[place] = 0
                }
                if candidate != choices { _ = try take(candidate) }
                begin += size
            }
            guard size > 1 else { return }
            size = max(1, size / 2)
        }
    }

    private mutating func lowerValues() throws {
        for place in choices.indices {
            var value = UInt16(1)
            while place < choices.count, value < choices[place] {
                var candidate = choices
                candidate[place] = value
                if try take(candidate) { break }
                value += 1
            }
        }
    }

    private mutating func deleteEntries() throws {
        var place = choices.count - 1
        while place >= 0 {
            if place < choices.count {
                try delete(at: place)
            }
            place -= 1
        }
    }

    /// Removes an entry; failing that, raises departures behind the removed one by one, as the
    /// event that it chose stands before the others again.
    private mutating func delete(at place: Int) throws {
        let isDeparture = choices[place] > 0
        var candidate = choices
        candidate.remove(at: place)
        guard try !take(candidate), isDeparture else { return }
        for later in candidate.indices[place...] where candidate[later] > 0 {
            candidate[later] = min(candidate[later], .max - 1) + 1
        }
        _ = try take(candidate)
    }

    /// Uses simpler scenarios as long as the schedule, or a short search for another, still breaks
    /// the promise.
    mutating func shrinkScenario() throws {
        var bold = self
        try bold.shrinkScenario { simpler, search in
            try search.schedule(for: simpler).map { found in
                var taken = search
                (taken.subject, taken.choices, taken.kept) = (simpler, found, [])
                return taken
            }
        }
        try bold.shrinkSchedule()
        playsLeft = bold.playsLeft
        guard bold.departures > departures else {
            self = bold
            return
        }
        try shrinkScenario { try $1.smaller(in: $0) }
    }

    /// Uses one simpler scenario after another, as long as `take` accepts one.
    private mutating func shrinkScenario(
        _ take: (_ simpler: any RaceSubject, _ search: inout Search) throws -> Search?
    ) throws {
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for simpler in subject.simpler {
                guard let found = try take(simpler, &self) else { continue }
                self = found
                isSmaller = true
                break
            }
        }
    }

    /// A search in a simpler scenario; `nil` where that needs more departures.
    private mutating func smaller(in simpler: any RaceSubject) throws -> Search? {
        guard let found = try schedule(for: simpler) else { return nil }
        var smaller = self
        (smaller.subject, smaller.choices, smaller.kept) = (simpler, found, [])
        if smaller.departures > departures { try smaller.shrinkSchedule() }
        playsLeft = smaller.playsLeft
        return smaller.departures > departures ? nil : smaller
    }

    /// A schedule under which a simpler scenario still breaks the promise.
    private mutating func schedule(for simpler: any RaceSubject) throws -> [UInt16]? {
        if try breaks([], simpler) { return [] }
        guard departures > 0 else { return nil }
        if try breaks(choices, simpler) { return choices }
        let draws = RandomStream(seed: plan.seed).stream("races.shrink")
        for number in 0..<40 as Range<UInt64> {
            guard playsLeft > 0, !reduction.isOver, !isOver() else { return nil }
            playsLeft -= 1
            let policy = PrioritySampling(seed: draws.bits(at: number))
            let played = try simpler.play(
                Schedule(policy, windowNanoseconds: plan.windowNanoseconds))
            reduction.note(played)
            if played.breaks(violation) { return played.choices }
        }
        return nil
    }
}

/// The search for schedules with fewer departures than leaving some out can reach.
extension Search {
    /// Plays every schedule with no departure, then with one, and so on up to one less than there
    /// are now, as far as plays are left.
    mutating func searchFewer() throws {
        guard departures > 0 else {
            isFewest = true
            return
        }
        guard plan.shrinkingPlaysMax > 0, violation.invariant != Violation.hang, !isOver() else {
            return
        }
        let widths = try play([]).widths
        let plays = min(
            plan.shrinkingPlaysMax, reduction.schedulesLeft(length: widths.count))
        guard plays > 0 else { return }
        var plan = plan
        plan.deviations = deviations(
            widths.reduce(0) { $0 + Double($1) - 1 }, among: Double(plays))
        (plan.schedules, plan.nanoseconds) = (plays, nil)
        (plan.findingsMax, plan.shrinkingPlaysMax) = (1, 0)
        let search = try Explorer(plan, isStopped: isOver)
            .explore(OneViolation(subject: subject, violation: violation))
        reduction.note(schedules: search.coverage.schedules, choices: search.coverage.choices)
        if let finding = search.findings.first { choices = finding.choices }
        // All schedules with fewer departures than the found one have been played before.
        isFewest = departures == 0 || search.exhausted.map { $0 + 1 >= departures } ?? false
    }

    /// The most departures for which all schedules may be played; fewer than there are now.
    ///
    /// With `others` choices other than first in, first out's, there are at least about othersᵏ/k!
    /// schedules with k departures.
    private func deviations(_ others: Double, among plays: Double) -> Int {
        var (depth, level, all) = (0, 1.0, 1.0)
        while depth < departures - 1 {
            level *= others / Double(depth + 1)
            all += level
            guard all <= plays else { break }
            depth += 1
        }
        return depth
    }
}

/// A subject that reports only one promise and cause.
private struct OneViolation: RaceSubject {
    let subject: any RaceSubject
    let violation: Violation

    func play(_ schedule: Schedule) throws -> Played {
        var played = try subject.play(schedule)
        played.violations.removeAll { !$0.isLike(violation) }
        return played
    }
}

/// The budget for making an exploration's findings smaller, all of them together.
///
/// In choices of schedules and not in time: the result is the same on every machine.
public final class Reduction: Sendable {
    /// The most choices that may be made.
    public let most: Int
    private let used = Mutex(0)

    /// The budget that any exploration has; a second and a half of a core or so.
    public static let least = 150_000
    /// The budget of a larger one, as a multiple of what the exploration took itself.
    public static let share = 4
    /// What a schedule costs besides its choices, in choices.
    private static let base = 20

    /// A budget of so many choices.
    init(most: Int) { self.most = most }

    convenience init(after coverage: Coverage) {
        let (choices, isBeyond) = coverage.choices.multipliedReportingOverflow(by: Self.share)
        self.init(most: isBeyond ? .max : max(Self.least, choices))
    }

    /// The choices that were made so far.
    public var spent: Int { used.withLock { $0 } }
    /// True as soon as nothing more may be tried.
    public var isOver: Bool { spent >= most }

    func note(_ played: Played) { note(schedules: 1, choices: played.choices.count) }

    func note(schedules: Int, choices: Int) {
        used.withLock { $0 += schedules * Self.base + choices }
    }

    /// How many schedules of a length may still be played.
    func schedulesLeft(length: Int) -> Int { max(0, most - spent) / (length + Self.base) }
}
