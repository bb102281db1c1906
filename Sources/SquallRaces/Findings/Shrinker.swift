import SquallFormat
import SquallKernel

/// Makes what breaks a promise as small as it can: the scenario, then the schedule.
///
/// The same invariant must break all the while. A schedule is a list of choices, every list is a
/// valid one, and 0 is what first in, first out would do: so smaller means shorter and more zeros
/// (the shortlex order of Hypothesis's reducer). What a scenario can do without it says itself.
public struct Shrinker {
    private let plan: ExplorationPlan
    private let isOver: () -> Bool

    /// A shrinker for the findings of an exploration, which leaves them as they are when it is to
    /// have done.
    init(_ plan: ExplorationPlan, isOver: @escaping () -> Bool) {
        self.plan = plan
        self.isOver = isOver
    }

    /// The finding that a broken schedule comes down to.
    ///
    /// - Throws: what keeps a subject from being played.
    func finding(of broken: BrokenSchedule, in subject: any RaceSubject) throws -> Finding {
        var search = Search(
            invariant: broken.violation.invariant, cause: broken.violation.cause, plan: plan,
            subject: subject, choices: broken.choices, playsLeft: plan.shrinkingPlaysMax,
            isOver: isOver)
        try search.shrinkSchedule()
        try search.shrinkScenario()
        try search.shrinkSchedule()
        let played = try search.play(search.choices, keepsHistory: true)
        let twin = try search.play([], keepsHistory: true)
        let violation =
            played.violations.first { $0.invariant == broken.key[0] && $0.cause == broken.key[1] }
            ?? played.violations.first { $0.invariant == broken.key[0] } ?? broken.violation
        return Finding(
            violation: violation, schedule: broken.schedule, count: broken.count,
            windowNanoseconds: plan.windowNanoseconds, choices: search.choices,
            choicesBefore: broken.choices.count { $0 > 0 }, subject: search.subject,
            played: played, twin: twin)
    }
}

/// One finding while it shrinks.
private struct Search {
    let invariant: String
    let cause: String
    let plan: ExplorationPlan
    var subject: any RaceSubject
    var choices: [UInt16]
    var playsLeft: Int
    let isOver: () -> Bool

    func play(_ choices: [UInt16], keepsHistory: Bool = false) throws -> Played {
        try subject.play(
            Schedule(
                ReplayedSchedule(choices), windowNanoseconds: plan.windowNanoseconds,
                keepsHistory: keepsHistory))
    }

    private mutating func breaks(_ choices: [UInt16], _ subject: any RaceSubject) throws -> Bool {
        guard playsLeft > 0, !isOver() else { return false }
        playsLeft -= 1
        let played = try subject.play(
            Schedule(ReplayedSchedule(choices), windowNanoseconds: plan.windowNanoseconds))
        return played.violations.contains { $0.invariant == invariant && $0.cause == cause }
    }

    /// Takes a smaller schedule if it still breaks the promise.
    private mutating func take(_ candidate: [UInt16]) throws -> Bool {
        guard try breaks(candidate, subject) else { return false }
        choices = candidate
        return true
    }

    mutating func shrinkSchedule() throws {
        var size = -1
        while size != weight {
            size = weight
            try cutEnd()
            try zeroBlocks()
            try lowerValues()
            try deleteEntries()
        }
    }

    /// Shorter is smaller, then fewer departures, then lower ones.
    private var weight: Int {
        choices.count * 1_000_000 + choices.count { $0 > 0 } * 1_000
            + choices.reduce(0) { $0 + min(Int($1), 9) }
    }

    /// The shortest beginning that is enough, by halves.
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

    /// Zeller and Hildebrandt's ddmin over the departures: halves, quarters, down to single ones.
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

    /// Without an entry; what a departure took stands before the others again, so that they may
    /// have to reach over it.
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

    /// Leaves out what the scenario can do without, as long as the schedule, or a short search for
    /// another, still breaks the promise.
    mutating func shrinkScenario() throws {
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for simpler in subject.simpler {
                guard let found = try schedule(for: simpler) else { continue }
                subject = simpler
                choices = found
                isSmaller = true
                break
            }
        }
    }

    /// A schedule under which a simpler scenario still breaks the promise.
    private mutating func schedule(for simpler: any RaceSubject) throws -> [UInt16]? {
        if try breaks([], simpler) { return [] }
        if try breaks(choices, simpler) { return choices }
        let draws = RandomStream(seed: plan.seed).stream("races.shrink")
        for number in 0..<40 as Range<UInt64> {
            guard playsLeft > 0, !isOver() else { return nil }
            playsLeft -= 1
            let policy = PrioritySampling(seed: draws.bits(at: number))
            let played = try simpler.play(
                Schedule(policy, windowNanoseconds: plan.windowNanoseconds))
            if played.violations.contains(where: {
                $0.invariant == invariant && $0.cause == cause
            }) {
                return played.choices
            }
        }
        return nil
    }
}
