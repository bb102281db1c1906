/// The pauses between refreshes that fail one after the other and that nobody asked for.
///
/// A refresh that a refused call asks for follows its user's pace, and one for which the server
/// named a moment follows the server's: neither is judged.
public struct BackoffWatch: Sendable {
    private var first: [Int64] = []
    private var last: [Int64] = []
    private var failures = 0
    private var failedAt: Int64?

    /// So many failed refreshes show a rule.
    private static let failuresMin = 10
    private static let shown = 3

    /// A watch that has seen nothing.
    public init() {}

    /// A refresh is sent; `isAsked` where a refused call or the server named the moment.
    public mutating func sent(at now: Int64, isAsked: Bool) {
        guard let failedAt else { return }
        guard !isAsked else { return self = BackoffWatch() }
        let pause = now - failedAt
        if first.count < Self.shown { first.append(pause) }
        if last.count >= Self.shown { last.removeFirst() }
        last.append(pause)
    }

    /// A refresh has failed; its pause in nanoseconds where the pauses do not grow and are shorter
    /// than `limit`, once for each row of failures.
    public mutating func failed(at now: Int64, limit: Int64) -> Int64? {
        failures += 1
        failedAt = now
        guard failures == Self.failuresMin, last.count == Self.shown else { return nil }
        let (early, late) = (Self.middle(first), Self.middle(last))
        return late < limit && late * 2 < early * 3 ? late : nil
    }

    private static func middle(_ pauses: [Int64]) -> Int64 { pauses.sorted()[pauses.count / 2] }

    /// A refresh has not failed, or the session is over.
    public mutating func ended() { self = BackoffWatch() }
}
