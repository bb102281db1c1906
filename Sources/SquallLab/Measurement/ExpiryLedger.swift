/// Tells which refreshes belong to the same expiry of a user's access token.
///
/// An expiry begins with the first answer "expired" after the last renewal and takes in every such
/// answer to a request that was handed over before the client had its new token, however late it
/// comes. 16 bytes a user.
struct ExpiryLedger {
    /// Times a token was found expired.
    private(set) var expiries: Int64 = 0
    /// Refreshes those caused, and how many of them were beyond an expiry's first.
    private(set) var refreshes: Int64 = 0
    private(set) var redundant: Int64 = 0
    /// Refreshes that no answer had asked for.
    private(set) var unprompted: Int64 = 0
    private var users: [Expiry]

    private struct Expiry {
        /// When the client got the token that ended it; `max` while it lasts, `min` before any.
        var renewedAt: Int64 = .min
        var refreshes: UInt32 = 0
    }

    init(users: Int) { self.users = Array(repeating: Expiry(), count: users) }

    /// Forgets what was counted but not which expiries last, at the end of a warm-up.
    mutating func restart() {
        (expiries, refreshes, redundant, unprompted) = (0, 0, 0, 0)
    }

    /// A request that was handed over at a moment was answered "expired"; whether that begins an
    /// expiry.
    @discardableResult
    mutating func answeredExpired(user: Int, handedOver: Int64) -> Bool {
        guard handedOver >= users[user].renewedAt else { return false }
        expiries += 1
        users[user] = Expiry(renewedAt: .max)
        return true
    }

    /// A refresh has ended; what it was for.
    mutating func refreshEnded(user: Int, isPrompted: Bool, succeeded: Bool, at now: Int64)
        -> WireCause
    {
        let isFirst = users[user].refreshes == 0
        if succeeded, users[user].renewedAt == .max || !isPrompted { users[user].renewedAt = now }
        guard isPrompted else {
            unprompted += 1
            return .unpromptedRefresh
        }
        users[user].refreshes += 1
        refreshes += 1
        if !isFirst { redundant += 1 }
        return isFirst ? .neededRefresh : .redundantRefresh
    }
}
