/// Tokens that a service is about to hand out, for the members that it adds to them.
public struct TokenGrant: Hashable, Sendable {
    /// The user, by the number of the account.
    public let user: Int
    /// What the user signs in with.
    public let email: String
    /// The access token.
    public let access: String
    /// The refresh token; `nil` where a refresh keeps the old one.
    public let refresh: String?
    /// When the access token expires, in seconds since 1970, as the world's clocks show them.
    public let expiresAt: Int64
    /// For how many seconds the access token is good.
    public let lifetime: Int64
    /// Whether a sign-in, not a refresh, brings them.
    public let isSignIn: Bool
}

/// What a log-out does to the tokens of its session on the server.
public enum LogOutEffect: Hashable, Sendable {
    /// Nothing: only the client forgets them, the only way with signed tokens.
    case clientForgets
    /// Refresh tokens buy nothing any more; access tokens stay good until their time is over.
    case endsRefreshTokens
    /// Access tokens are refused as well.
    case endsAllTokens
}
