public import SquallFormat

/// A fault, and the recovery of successful steps and of the server's queue from it.
public struct FaultRow: Codable, Sendable {
    /// The fault.
    let name: String
    /// The beginning of the fault.
    public let startNanoseconds: Int64
    /// The end of the fault; equal to its beginning if it was over at once.
    public let endNanoseconds: Int64
    /// Successful steps per second in the minute before; nil when nothing was measured then.
    @OrNull public private(set) var goodputBefore: Double?
    /// Successful steps per second in the ten seconds with the fewest that began during the fault;
    /// nil when nothing was measured then.
    @OrNull private(set) var goodputLowest: Double?
    /// Successful steps per second in the last minute of the run; nil without time after it.
    @OrNull public private(set) var goodputAfter: Double?
    /// True if those ten seconds were below 90 % of the level before by more than chance explains.
    public let goodputLeftRange: Bool
    /// The recovery of goodput, with its time after the fault's end.
    public let goodputRecovery: Recovery
    /// The server's queue around the fault; `nil` when that was not measured.
    @OrNull public private(set) var backlog: Backlog?
    /// The recovery of both, with the time of the later one after the fault's end.
    public let recovery: Recovery

    /// Makes the row of one population or of all users.
    public init(
        name: String, startNanoseconds: Int64, endNanoseconds: Int64, goodputBefore: Double?,
        goodputLowest: Double? = nil, goodputAfter: Double?, goodputLeftRange: Bool = true,
        recovery: Recovery, backlog: Backlog? = nil
    ) {
        self.name = name
        self.startNanoseconds = startNanoseconds
        self.endNanoseconds = endNanoseconds
        self.goodputBefore = goodputBefore
        self.goodputLowest = goodputLowest
        self.goodputAfter = goodputAfter
        self.goodputLeftRange = goodputLeftRange
        self.goodputRecovery = recovery
        self.backlog = backlog
        self.recovery = .longest(of: [recovery] + [backlog?.recovery].compactMap(\.self))
    }

    /// The row of the whole with its parts' recovery: it has recovered when all parts have.
    public func recovered(as parts: [FaultRow]) -> FaultRow {
        FaultRow(
            name: name, startNanoseconds: startNanoseconds, endNanoseconds: endNanoseconds,
            goodputBefore: goodputBefore, goodputLowest: goodputLowest, goodputAfter: goodputAfter,
            goodputLeftRange: goodputLeftRange || parts.contains(where: \.goodputLeftRange),
            recovery: .longest(of: parts.map(\.goodputRecovery)), backlog: backlog)
    }

    /// True if goodput or backlog was ever out of its range.
    public var leftRange: Bool { goodputLeftRange || backlog?.leftRange == true }
}

/// The recovery of successful steps to their earlier rate, with its time; ``Backlog`` says the same
/// of the server's queue, and a fault is over when both have recovered.
///
/// A population has recovered at the first moment from which, over ten seconds on average, its
/// useful steps are at least 90 % of those of the minute before, **and** no peak of refreshes is
/// under way in it. For a peak the time counts from its beginning, for a fault from its end. A run
/// has recovered when each of its populations has.
///
/// It has not recovered if the load lasts ten seconds more, or as long as the earlier time it is
/// compared with, and useful steps are then fewer by more than chance explains. If the load ends
/// sooner, or chance explains the difference, the outcome is unknown.
public struct Recovery: Codable, Equatable, Sendable {
    let outcome: Outcome
    /// The time that it took; `nil` where it is not over or unknown.
    @OrNull public private(set) var afterNanoseconds: Int64?

    /// The outcome of a recovery.
    enum Outcome: String, CaseIterable, Codable, Sendable {
        /// As many steps succeeded as before.
        case recovered
        /// Not within the run.
        case never
        /// Not within the run, and at its end less than half as many steps succeeded as before.
        case metastable
        /// Too little was measured before or after it to tell.
        case unknown
    }

    /// Not within the run.
    public static let never = Recovery(outcome: .never)
    /// Not within the run, and at its end less than half as many steps succeeded as before.
    public static let metastable = Recovery(outcome: .metastable)
    /// Too little was measured before or after it to tell.
    public static let unknown = Recovery(outcome: .unknown)

    /// This long after the beginning of a peak or the end of a fault.
    public static func after(nanoseconds: Int64) -> Recovery {
        Recovery(outcome: .recovered, afterNanoseconds: nanoseconds)
    }

    private init(outcome: Outcome, afterNanoseconds: Int64? = nil) {
        self.outcome = outcome
        self.afterNanoseconds = afterNanoseconds
    }

    /// The worst of several recoveries: one that failed, else an unknown one, else the one with the
    /// longest time.
    public static func longest(of recoveries: [Recovery]) -> Recovery {
        if recoveries.contains(.metastable) { return .metastable }
        if recoveries.contains(.never) { return .never }
        if recoveries.contains(.unknown) { return .unknown }
        let longest = recoveries.compactMap(\.afterNanoseconds).max()
        return longest.map { .after(nanoseconds: $0) } ?? .unknown
    }

    /// The recovery in words for a table's cell, in text and on the page.
    var words: String {
        switch (outcome, afterNanoseconds) {
        case (.recovered, let span?): Units.approximate(nanoseconds: span)
        case (.never, _), (.metastable, _): outcome.rawValue
        case (.recovered, nil), (.unknown, _): "–"
        }
    }
}

/// The server's queue from a fault's beginning until it was worked off.
///
/// Its range is the number of requests that waited in the minute before the fault. It leaves its
/// range when more than twice the most of that minute, and one more for each worker, wait while the
/// fault lasts or in the minute after it; it is back when no more wait than the most of that
/// minute.
public struct Backlog: Codable, Equatable, Sendable {
    /// The most that waited at once in the minute before.
    public let before: Int64
    /// The most that waited at once until it was back.
    public let largest: Int64
    /// The longest wait of those who left the queue until it was back.
    public let longestWaitNanoseconds: Int64
    /// True if it left its range.
    public let leftRange: Bool
    /// The moment at which it was back, after the fault's end.
    public let recovery: Recovery

    /// A queue's backlog by its parts.
    public init(
        before: Int64, largest: Int64, longestWaitNanoseconds: Int64, leftRange: Bool,
        recovery: Recovery
    ) {
        self.before = before
        self.largest = largest
        self.longestWaitNanoseconds = longestWaitNanoseconds
        self.leftRange = leftRange
        self.recovery = recovery
    }
}
