import SquallBackend
import SquallKernel

/// Counts the expiries of users' access tokens and the refreshes that belong to them, as
/// `SessionExpiry` tells them apart.
///
/// An expiry that a warm-up divides counts in what is measured as soon as something of it is.
/// 32 bytes a user.
struct ExpiryLedger {
    /// Times a token was found expired: expiries of which an answer or a refresh was measured.
    private(set) var expiries: Int64 = 0
    /// Refreshes those caused, and how many of them were beyond an expiry's first.
    private(set) var refreshes: Int64 = 0
    private(set) var redundant: Int64 = 0
    /// Refreshes that no answer had asked for.
    private(set) var unprompted: Int64 = 0
    private var users: [Session]
    /// The part of the run that is measured: 1 before the end of a warm-up, 2 after it.
    private var part: UInt8 = 1

    private struct Session {
        var expiry = SessionExpiry()
        /// The part of the run in which the last expiry was counted; 0 before there was any, `max`
        /// while nothing of it has been measured.
        var countedIn: UInt8 = 0
    }

    /// No expiries yet; of no use where `isStopped` said so meanwhile.
    init(users: Int, unless isStopped: () -> Bool = { false }) {
        self.users = Array(repeating: Session(), count: users, unless: isStopped)
    }

    /// Forgets what was counted but not which expiries last, at the end of a warm-up.
    mutating func restart() {
        (expiries, refreshes, redundant, unprompted) = (0, 0, 0, 0)
        part += 1
    }

    /// A request that was handed over at a moment was answered "expired": whether that begins an
    /// expiry, and whether it is the first of one that is measured.
    @discardableResult
    mutating func answeredExpired(
        user: Int, handedOver: Int64, isMeasured: Bool = true
    ) -> (begins: Bool, counts: Bool) {
        let begins = users[user].expiry.refused(handedOverAt: handedOver) == .first
        if begins { users[user].countedIn = .max }
        return (begins, isMeasured && count(user))
    }

    /// A user has new tokens by a sign-in, or by a refresh that was sent again.
    mutating func renewed(user: Int, at now: Int64) { users[user].expiry.renewed(at: now) }

    /// A refresh that was handed over at a moment has ended, or never will: what it was for, and
    /// whether it is the first of an expiry that is measured.
    mutating func refreshEnded(
        user: Int, handedOver: Int64, isPrompted: Bool, succeeded: Bool, isMeasured: Bool = true,
        at now: Int64
    ) -> (cause: WireCause, counts: Bool) {
        let reason = users[user].expiry.refreshEnded(
            handedOverAt: handedOver, isPrompted: isPrompted, succeeded: succeeded, at: now)
        guard reason != .unprompted else {
            if isMeasured { unprompted += 1 }
            return (.unpromptedRefresh, false)
        }
        if isMeasured {
            refreshes += 1
            if reason.isRedundant { redundant += 1 }
        }
        return (
            reason.isRedundant ? .redundantRefresh : .neededRefresh, isMeasured && count(user)
        )
    }

    /// Counts a user's expiry unless it has been counted or there is none; whether it does.
    private mutating func count(_ user: Int) -> Bool {
        guard ![0, part].contains(users[user].countedIn) else { return false }
        users[user].countedIn = part
        expiries += 1
        return true
    }
}
