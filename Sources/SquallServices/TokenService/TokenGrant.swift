/// Tokens that a service is about to hand out, for the members that it adds to them.
public struct TokenGrant: Hashable, Sendable {
    /// The user, by the number of the account.
    public let user: Int
    /// The user's e-mail address, which is what a sign-in shows.
    public let email: String
    /// The access token.
    public let access: String
    /// The refresh token; `nil` where a refresh keeps the old one.
    public let refresh: String?
    /// When the access token expires, in seconds since 1970, as the world's clocks show them.
    public let expiresAt: Int64
    /// The life of the access token in seconds.
    public let lifetime: Int64
    /// True if a sign-in brings them, false for a refresh.
    public let isSignIn: Bool
}

/// The effect of a log-out on the tokens of its session, as the server sees them.
public enum LogOutEffect: String, Hashable, Sendable, CaseIterable {
    /// Nothing: only the client forgets them, the only way with signed tokens.
    case clientForgets
    /// Refresh tokens are not accepted any more; access tokens stay good until their time is over.
    case endsRefreshTokens
    /// Access tokens are refused as well.
    case endsAllTokens
}
