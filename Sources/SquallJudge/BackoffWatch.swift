/// The pauses between refreshes that fail one after the other and that no refused call asked for.
///
/// A refresh that a refused call asks for follows its user's pace, and one for which the server
/// named a moment follows the server's: neither is judged. A timer's pauses are alike; a person's
/// are not.
public struct BackoffWatch: Sendable {
    private var pauses = EvenPauses()
    private var asked = 0
    private var failures = 0
    private var failedAt: Int64?

    /// The failed refreshes in a row from which a rule of pauses can be told.
    private static let failuresMin = EvenPauses.keptMax

    /// A watch of a client that has not refreshed yet.
    public init() {}

    /// Notes that a refresh is sent; `isAsked` where a call was refused right before.
    public mutating func sent(at now: Int64, isAsked: Bool) {
        guard let failedAt else { return }
        if isAsked { asked += 1 }
        pauses.note(now - failedAt)
    }

    /// Notes that a refresh has failed; returns its pause in nanoseconds if the pauses are alike,
    /// do not grow and are shorter than `limit`, once for each row of failures.
    public mutating func failed(at now: Int64, limit: Int64) -> Int64? {
        failures += 1
        failedAt = now
        guard failures == Self.failuresMin, pauses.count >= Self.failuresMin - 1,
            asked * 4 < pauses.count * 3
        else { return nil }
        return pauses.even(within: 1).flatMap { $0 < limit ? $0 : nil }
    }

    /// Ends the row of failures: a refresh has succeeded, the server named a moment, or the session
    /// is over.
    public mutating func ended() { self = BackoffWatch() }
}

/// The latest pauses between events of one kind.
public struct EvenPauses: Sendable {
    private var pauses: [Int64] = []
    /// The number of pauses that are kept.
    public static let keptMax = 10
    private static let shown = 3

    /// No pauses yet.
    public init() {}

    /// How many pauses are kept.
    public var count: Int { pauses.count }

    /// Adds a pause, in nanoseconds.
    public mutating func note(_ pause: Int64) {
        if pauses.count >= Self.keptMax { pauses.removeFirst() }
        pauses.append(pause)
    }

    /// The pause in nanoseconds where all do not grow and, but for one each way, are alike within a
    /// share of it, 1 for as long again and 10 for a tenth; `nil` for too few.
    public func even(within share: Int64) -> Int64? {
        guard pauses.count >= Self.keptMax - 1 else { return nil }
        let early = Self.middle(pauses.prefix(Self.shown))
        let late = Self.middle(pauses.suffix(Self.shown))
        let sorted = pauses.sorted()
        let spread = sorted[sorted.count - 2] - sorted[1]
        return late * 2 < early * 3 && spread * share < late ? late : nil
    }

    private static func middle(_ pauses: ArraySlice<Int64>) -> Int64 {
        pauses.sorted()[pauses.count / 2]
    }
}
