import SquallBackend

/// Counts the expiries of users' access tokens and the refreshes that belong to them, as
/// `SessionExpiry` tells them apart.
///
/// 24 bytes a user.
struct ExpiryLedger {
    /// Times a token was found expired.
    private(set) var expiries: Int64 = 0
    /// Refreshes those caused, and how many of them were beyond an expiry's first.
    private(set) var refreshes: Int64 = 0
    private(set) var redundant: Int64 = 0
    /// Refreshes that no answer had asked for.
    private(set) var unprompted: Int64 = 0
    private var users: [SessionExpiry]

    init(users: Int) { self.users = Array(repeating: SessionExpiry(), count: users) }

    /// Forgets what was counted but not which expiries last, at the end of a warm-up.
    mutating func restart() {
        (expiries, refreshes, redundant, unprompted) = (0, 0, 0, 0)
    }

    /// A request that was handed over at a moment was answered "expired"; whether that begins an
    /// expiry.
    @discardableResult
    mutating func answeredExpired(user: Int, handedOver: Int64) -> Bool {
        guard users[user].refused(handedOverAt: handedOver) == .first else { return false }
        expiries += 1
        return true
    }

    /// A user has new tokens by a sign-in, or by a refresh that was sent again.
    mutating func renewed(user: Int, at now: Int64) { users[user].renewed(at: now) }

    /// A refresh that was handed over at a moment has ended; what it was for.
    mutating func refreshEnded(
        user: Int, handedOver: Int64, isPrompted: Bool, succeeded: Bool, at now: Int64
    ) -> WireCause {
        let reason = users[user].refreshEnded(
            handedOverAt: handedOver, isPrompted: isPrompted, succeeded: succeeded, at: now)
        switch reason {
        case .unprompted:
            unprompted += 1
            return .unpromptedRefresh
        case .needed:
            refreshes += 1
            return .neededRefresh
        case .again, .late:
            refreshes += 1
            redundant += 1
            return .redundantRefresh
        }
    }
}
