import SquallBackend
import SquallKernel

/// Counts the expiries of users' access tokens and the refreshes that belong to them, by the rules
/// of `SessionExpiry`.
///
/// An expiry that lasts beyond a warm-up counts as soon as a part of it is measured. 32 bytes a
/// user.
struct ExpiryLedger {
    /// Expiries with an answer or a refresh that was measured.
    private(set) var expiries: Int64 = 0
    /// Refreshes that those caused, and the redundant ones among them.
    private(set) var refreshes: Int64 = 0
    private(set) var redundant: Int64 = 0
    /// Refreshes without an answer that asked for them.
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

    /// No expiries yet; incomplete when `isStopped` said so meanwhile.
    init(users: Int, unless isStopped: () -> Bool = { false }) {
        self.users = Array(repeating: Session(), count: users, unless: isStopped)
    }

    /// Resets the counts but keeps the open expiries, at the end of a warm-up.
    mutating func restart() {
        (expiries, refreshes, redundant, unprompted) = (0, 0, 0, 0)
        part += 1
    }

    /// Notes that a request that was handed over at a moment was answered "expired"; returns
    /// whether that begins an expiry, and whether it is an expiry's first measured attempt.
    @discardableResult
    mutating func answeredExpired(
        user: Int, handedOver: Int64, isMeasured: Bool = true
    ) -> (begins: Bool, counts: Bool) {
        let begins = users[user].expiry.refused(handedOverAt: handedOver) == .first
        if begins { users[user].countedIn = .max }
        return (begins, isMeasured && count(user))
    }

    /// Notes that a user has new tokens by a sign-in, or by a refresh that was sent again.
    mutating func renewed(user: Int, at now: Int64) { users[user].expiry.renewed(at: now) }

    /// Notes that a refresh has ended, or never will; returns its reason, and whether it is an
    /// expiry's first measured attempt.
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

    /// Counts a user's expiry unless there is none or it was counted; returns whether it did.
    private mutating func count(_ user: Int) -> Bool {
        guard ![0, part].contains(users[user].countedIn) else { return false }
        users[user].countedIn = part
        expiries += 1
        return true
    }
}
