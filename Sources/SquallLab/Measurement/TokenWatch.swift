/// Knows when each user's newest access token expires, from what the token mint tells.
struct TokenWatch {
    private var expiries: [Int64]

    init(users: Int) { expiries = Array(repeating: .min, count: users) }

    /// A user was given an access token.
    mutating func accessTokenIssued(to user: Int, expiresAt expiry: Int64) {
        expiries[user] = max(expiries[user], expiry)
    }

    /// Every access token issued so far has expired.
    mutating func accessTokensExpired(at now: Int64) {
        for user in expiries.indices { expiries[user] = min(expiries[user], now) }
    }

    /// Whether a user has no access token that is still good.
    func isExpired(_ user: Int, at now: Int64) -> Bool { expiries[user] <= now }
}
