import SquallJudge

/// Successful refreshes in a row for which nothing that was seen is a reason.
///
/// A page that keeps its access token in memory refreshes wherever it is loaded, and calls with the
/// new token at once. A timer refreshes at even pauses, beside calls or without any.
struct NeedlessRow {
    /// What a row shows.
    struct Sight {
        /// The most calls that were made with a token of it.
        let calls: Int
        /// True if no person is as quick.
        let isQuick: Bool
        /// The pause of a timer in nanoseconds; `nil` where pages may have been loaded.
        let pause: Int64?
    }

    private var count = 0
    /// False as soon as another connection has sent a part of the row.
    private var isOfOne = true
    private var calls = 0
    private var isQuick = true
    private var pauses = EvenPauses()
    /// How many of the refreshes are not those of a page that is loaded.
    private var others = 0
    /// The latest refresh.
    private var latest: (sentAt: Int64, endedAt: Int64, isBeside: Bool, connection: UInt64?)?
    /// Calls with the newest token that were taken.
    private var taken = 0
    /// When a call was sent last, and first since the latest refresh.
    private var calledAt: (first: Int64?, last: Int64) = (nil, .min / 2)

    /// The number of refreshes from which a row is no chance, and from which it is a timer's.
    private static let (rowMin, timerMin) = (3, 10)

    /// A call with a token is sent.
    mutating func calls(at now: Int64) {
        calledAt = (calledAt.first ?? now, now)
    }

    /// The server has taken a call's token.
    mutating func accepted() { taken += 1 }

    /// A refresh has succeeded; what its row shows, where it is one.
    ///
    /// Processes that start one after the other, each with its own refresh, show by the tokens of
    /// their next calls that they are several (LiveInnocenceTests.startingPods).
    mutating func refreshed(
        _ sent: LiveRequest, needlessly isNeedless: Bool, forRefusal isForRefusal: Bool,
        at now: Int64, _ pace: LivePace
    ) -> Sight? {
        let sentAt = sent.sentAt
        defer {
            let isBeside = calledAt.last >= sentAt - pace.again
            latest = (sentAt, now, isBeside, sent.connection)
            (taken, calledAt.first) = (0, nil)
        }
        guard isNeedless else {
            self = NeedlessRow()
            return nil
        }
        if count > 0, let latest {
            let isNext = now - latest.endedAt < pace.load
            if !isNext { calls = max(calls, taken) }
            isQuick = isQuick && isNext
            pauses.note(sentAt - latest.sentAt)
            let isFollowed = calledAt.first.map { $0 < latest.endedAt + pace.again } ?? false
            if latest.isBeside || !isFollowed { others += 1 }
            isOfOne = isOfOne && latest.connection == sent.connection
        }
        count += 1
        guard count >= (isOfOne || isForRefusal ? 1 : 2) * Self.rowMin else { return nil }
        let isTimer = count >= Self.timerMin && others * 2 > count
        return Sight(calls: calls, isQuick: isQuick, pause: isTimer ? pauses.even(within: 10) : nil)
    }
}
