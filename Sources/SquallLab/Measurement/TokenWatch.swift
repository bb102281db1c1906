/// Keeps when each user's newest access token expires, as the mint tells it.
///
/// Eight bytes a user.
struct TokenWatch {
    private var expiries: [Int64]

    init(users: Int) { expiries = Array(repeating: .min, count: users) }

    /// A user was given an access token.
    mutating func issued(to user: Int, expiresAt expiry: Int64) {
        expiries[user] = max(expiries[user], expiry)
    }

    /// The tokens of the users who are concerned have expired.
    mutating func expired(at now: Int64, of isConcerned: (_ user: UInt64) -> Bool) {
        for user in expiries.indices where isConcerned(UInt64(user)) {
            expiries[user] = min(expiries[user], now)
        }
    }

    /// Whether a user has no access token that is good.
    func isExpired(_ user: Int, at now: Int64) -> Bool { expiries[user] <= now }
}
