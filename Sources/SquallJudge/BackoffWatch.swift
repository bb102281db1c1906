/// The pauses between refreshes that fail one after the other.
///
/// A refresh that a refused call asks for follows that call's pace, and one for which the server
/// named a moment follows the server's. A timer's pauses are alike; a person's are not. Where more
/// calls are refused than there are refreshes, these are not made by calls.
public struct BackoffWatch: Sendable {
    /// A row of failures at one interval.
    public struct Row: Equatable, Sendable {
        /// The interval, in nanoseconds.
        public let pause: Int64
        /// True where refused calls asked for most of the refreshes.
        public let isAsked: Bool
        /// True where calls were refused meanwhile.
        public let hasCalls: Bool
        /// True where so many of them asked for none that a timer may have, or has.
        public let isTimer: Bool
    }

    private var pauses = EvenPauses()
    private var (asked, calls) = (0, 0)
    /// How many times calls were refused a while after a failure, without asking for a refresh, and
    /// when that may have been the last time.
    private var (unasking, refusedAt) = (0, Int64?.none)
    private var failedAt: Int64?
    /// True if the pause after the last failure is over, for whoever else sends at once.
    private var isOver = false

    /// The pauses in a row from which a rule can be told.
    private static let pausesMin = EvenPauses.keptMax - 1

    /// A watch of a client that has not refreshed yet.
    public init() {}

    /// Notes that a refresh is sent; `isAsked` where a call was refused right before.
    ///
    /// Within `turn` nanoseconds of a failure it is for a call that waited for its turn.
    public mutating func sent(at now: Int64, isAsked: Bool, turn: Int64 = 0) {
        guard let failedAt, !isOver, now - failedAt >= turn else { return }
        isOver = true
        if isAsked { asked += 1 } else if refusedAt != nil { unasking += 1 }
        refusedAt = nil
        pauses.note(now - failedAt)
    }

    /// Notes that a call was refused that was sent at a moment, without a refresh under way.
    ///
    /// A call that is sent within `grace` of a failed refresh may be what that was for; calls that
    /// are refused within that span are refused at once.
    public mutating func refused(sentAt: Int64, at now: Int64, grace: Int64) {
        guard let failedAt else { return }
        calls += 1
        guard sentAt >= failedAt + grace else { return }
        if let refusedAt {
            guard now >= refusedAt + grace else { return }
            unasking += 1
        }
        refusedAt = now
    }

    /// Notes that a refresh has failed; returns the row of failures if its pauses are alike, do not
    /// grow and are shorter than `limit` nanoseconds, once for each row.
    public mutating func failed(at now: Int64, limit: Int64) -> Row? {
        failedAt = now
        guard isOver else { return nil }
        isOver = false
        guard pauses.count == Self.pausesMin, let pause = pauses.even(within: 1), pause < limit
        else { return nil }
        let isAsked = asked * 4 >= pauses.count * 3
        return Row(
            pause: pause, isAsked: isAsked, hasCalls: calls > 0,
            isTimer: unasking * 2 >= pauses.count * (isAsked ? 1 : 3))
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
