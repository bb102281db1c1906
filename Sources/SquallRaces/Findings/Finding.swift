import SquallKernel
import SquallFormat

/// A broken promise with a schedule that shows it, made as small as the plan allows.
public struct Finding: Sendable {
    /// What is wrong.
    public let violation: Violation
    /// The number, from 1, of the first schedule that showed it.
    public let schedule: Int
    /// How many schedules showed it.
    public internal(set) var count: Int
    /// How much later than due an event may happen, in nanoseconds.
    public let windowNanoseconds: Int64
    /// The choices that show it: 0 for what first in, first out would run.
    public let choices: [UInt16]
    /// How many departures it had before it was made smaller.
    public let choicesBefore: Int
    /// True if every schedule with fewer departures was played, and keeps the promise.
    public let isFewest: Bool
    /// True if the default order breaks the promise in the original scenario.
    public let needsNoOrder: Bool
    /// What is played.
    public let subject: any RaceSubject
    /// The run with these choices.
    public let played: Played
    /// The run in the default order, first in, first out.
    public let twin: Played

    /// A finding of its parts.
    public init(
        violation: Violation, schedule: Int, count: Int, windowNanoseconds: Int64,
        choices: [UInt16], choicesBefore: Int, isFewest: Bool, needsNoOrder: Bool,
        subject: any RaceSubject, played: Played, twin: Played
    ) {
        self.violation = violation
        self.schedule = schedule
        self.count = count
        self.windowNanoseconds = windowNanoseconds
        self.choices = choices
        self.choicesBefore = choicesBefore
        self.isFewest = isFewest
        self.needsNoOrder = needsNoOrder
        self.subject = subject
        self.played = played
        self.twin = twin
    }

    /// How many choices are not what first in, first out would do.
    public var departures: Int { choices.count { $0 > 0 } }

    /// The number of departures, and how many there were before.
    public var size: String {
        guard choicesBefore > 0 else { return "no reordering: the default order" }
        let before = Units.counted(choicesBefore, "reordering")
        guard departures < choicesBefore else { return before + (isFewest ? " (minimal)" : "") }
        return "minimised from \(before) to \(departures)" + (isFewest ? " (minimal)" : "")
    }

    /// What the promise breaks on, in a sentence.
    public var conditions: String {
        if let fault = critical?.fault { return "the fault that matters: \(fault)" }
        if let orderThatMatters { return "the order that matters: \(orderThatMatters)" }
        if needsNoOrder {
            return (choicesBefore > 0 ? "also fails" : "fails") + " in the default order"
        }
        return "the minimised scenario fails in the default order; the given one only in another"
    }

    /// The last choice that it needs; `nil` when it needs none.
    public var critical: Schedule.Departure? { played.departures.last }

    /// The key by which findings of the same cause are merged.
    var causeKey: [String] {
        let labels = critical.map { ["\($0.chosen.label)", "\($0.passedOver.label)"] } ?? []
        return [violation.invariant, violation.cause] + labels
    }
}

extension [Finding] {
    /// The findings, those of one cause merged into one.
    var mergedByCause: [Finding] {
        grouped(by: \.causeKey).map { _, same in
            var merged = same[0]
            merged.count = same.reduce(0) { $0 + $1.count }
            return merged
        }
    }
}
