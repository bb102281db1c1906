import SquallKernel
import SquallFormat

/// A promise that a schedule breaks, as small as it could be made.
public struct Finding: Sendable {
    /// What is wrong.
    public let violation: Violation
    /// The how-manieth schedule was the first to show it, from 1.
    public let schedule: Int
    /// How many schedules showed it.
    public internal(set) var count: Int
    /// How much later than due something may happen, in nanoseconds.
    public let windowNanoseconds: Int64
    /// The choices that show it: 0 for what first in, first out would run.
    public let choices: [UInt16]
    /// How many departures it had before it was made smaller.
    public let choicesBefore: Int
    /// What is played.
    public let subject: any RaceSubject
    /// What happens then.
    public let played: Played
    /// What happens in first in, first out.
    public let twin: Played

    /// A finding of its parts.
    public init(
        violation: Violation, schedule: Int, count: Int, windowNanoseconds: Int64,
        choices: [UInt16], choicesBefore: Int, subject: any RaceSubject, played: Played,
        twin: Played
    ) {
        self.violation = violation
        self.schedule = schedule
        self.count = count
        self.windowNanoseconds = windowNanoseconds
        self.choices = choices
        self.choicesBefore = choicesBefore
        self.subject = subject
        self.played = played
        self.twin = twin
    }

    /// How many choices are not what first in, first out would do.
    public var departures: Int { choices.count { $0 > 0 } }

    /// Whether first in, first out breaks the same promise: no rare order is needed.
    public var needsNoOrder: Bool {
        twin.violations.contains { $0.invariant == violation.invariant }
    }

    /// The choice without which it does not happen, the last of them; `nil` when none is needed.
    public var critical: Schedule.Departure? { played.departures.last }

    /// What findings of the same cause have in common.
    var causeKey: [String] {
        let labels = critical.map { [$0.chosen.label, $0.passedOver.label] } ?? []
        return [violation.invariant, violation.cause] + labels
    }
}

extension [Finding] {
    /// The same with those of one cause made one.
    var mergedByCause: [Finding] {
        reduce(into: []) { merged, finding in
            guard let same = merged.firstIndex(where: { $0.causeKey == finding.causeKey }) else {
                return merged.append(finding)
            }
            merged[same].count += finding.count
        }
    }
}
