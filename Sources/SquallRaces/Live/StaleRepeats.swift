import SquallHTTP

/// Calls that came again with the token that they had been refused with: at once, before anything
/// was refreshed, or although the refresh had been answered.
///
/// A thread that read its token before that does so, too; but then its call, or the one that was
/// refused first, comes once more with the new token, and at once
/// (StaleRepeatTests.underWay, oneConnection).
struct StaleRepeats {
    private var refused: [Refused] = []
    private var late: [Late] = []
    /// A call that came again at once, before the refresh.
    private var early: Late?
    /// How many refreshes in a row were followed by such a call, and whether the latest was; and
    /// how many came behind one.
    private var (row, earlyRow) = ((count: 0, goesOn: false), 0)
    private static let keptMax = 16

    /// A call that came again with its old token.
    struct Repeat {
        let call: String
        let token: TokenNumber
        let requests: [UInt32]
        /// True if the token had been refreshed by then.
        let isLate: Bool
        /// True if a right client may do it, too.
        let isArguable: Bool
    }

    private struct Refused {
        let path: UInt64
        let token: TokenNumber
        let request: UInt32
        let (at, moment): (Int64, Int)
        var renewed: (at: Int64, moment: Int)?
    }

    private struct Late {
        let path: UInt64
        let token: TokenNumber
        let endpoint: String
        let requests: [UInt32]
        let at: Int64
    }

    /// When such a call was refused that may still come once more.
    var since: Int64? { late.first?.at }

    /// A call was refused as expired.
    ///
    ///  - Returns: True if it had been refused with that token before its refresh.
    mutating func refused(
        _ sent: LiveRequest, by endpoint: String, at now: Int64, _ moment: Int, grace: Int64
    ) -> Bool {
        guard let token = sent.access else { return false }
        let path = LiveCalls.path(sent.request)
        let earlier = refused.last { $0.path == path && $0.token == token }
        let again = earlier.map {
            Late(
                path: path, token: token, endpoint: endpoint, requests: [$0.request, sent.number],
                at: now)
        }
        if let again, let renewed = earlier?.renewed {
            guard sent.sentAt >= renewed.at, sent.moment > renewed.moment,
                late.count < Self.keptMax
            else { return false }
            late.append(again)
            return true
        }
        if let earlier, sent.moment > earlier.moment, 0..<grace ~= sent.sentAt - earlier.at {
            early = again
        }
        if refused.count >= Self.keptMax { refused.removeFirst() }
        refused.append(
            Refused(path: path, token: token, request: sent.number, at: now, moment: moment))
        return false
    }

    /// Notes that a refresh of a token was answered with another one; returns the call that had
    /// come again before, of a user no two of whose calls have met.
    mutating func renewed(
        _ token: TokenNumber, isAlone: Bool, at now: Int64, _ moment: Int
    ) -> Repeat? {
        if !row.goesOn { row.count = 0 }
        row.goesOn = false
        refused.removeAll { $0.renewed != nil }
        for place in refused.indices where refused[place].token == token {
            refused[place].renewed = (now, moment)
        }
        defer { early = nil }
        guard isAlone, let early, early.token == token else {
            earlyRow = 0
            return nil
        }
        earlyRow += 1
        return Repeat(
            call: early.endpoint, token: token, requests: early.requests, isLate: false,
            isArguable: earlyRow <= Self.chanceMax)
    }

    /// The client does something else about its token, or its session is over.
    mutating func isSettled() { late = [] }

    /// Notes that a call is sent; returns what is wrong with those before it.
    ///
    /// `quiet` is the time for which nothing of its user was open, and `isAlone` is true where no
    /// two calls of that user have met.
    mutating func sent(
        _ sent: LiveRequest, quiet: Int64, isAlone: Bool, _ pace: LivePace
    ) -> Repeat? {
        guard let first = late.first, let access = sent.access, access != first.token else {
            return nil
        }
        if quiet >= pace.grace { return ended(isAlone: isAlone) }
        let path = LiveCalls.path(sent.request)
        guard late.contains(where: { $0.path == path }) else { return nil }
        guard isAlone else {
            late.removeAll { $0.path == path }
            return nil
        }
        return found(from: Self.chanceMax + 1)
    }

    /// What is wrong with the calls of a user for whom nothing was open for a while.
    ///
    /// In a crowd it may be that each call waits before it comes again, once
    /// (StaleRepeatTests.waitingCrowd).
    mutating func ended(isAlone: Bool) -> Repeat? { found(from: isAlone ? 1 : 2) }

    /// So many times in a row it may be chance that the next call comes at once
    /// (StaleRepeatTests.hasty).
    private static let chanceMax = 2

    private mutating func found(from least: Int) -> Repeat? {
        defer { late = [] }
        guard let first = late.first else { return nil }
        row = (row.count + 1, true)
        return Repeat(
            call: first.endpoint, token: first.token, requests: first.requests, isLate: true,
            isArguable: row.count < least)
    }
}
