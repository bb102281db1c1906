/// How long tokens live, and what a refresh does to them.
public struct TokenPolicy: Sendable {
    /// Life of an access token.
    public var accessLifetimeNanoseconds: Int64
    /// Life of a refresh token.
    public var refreshLifetimeNanoseconds: Int64
    /// An access token lives shorter by up to this, evenly, by user and instant of issue.
    public var lifetimeJitterNanoseconds: Int64
    /// What becomes of a refresh token that is shown.
    public var refresh: RefreshSemantics
    /// Whether a refresh ends the life of older access tokens, and a revocation that of all.
    public var refreshRevokesAccessTokens: Bool
    /// For how long the newest token of a revoked family still refreshes: a revocation that leaks.
    public var revocationLagNanoseconds: Int64

    /// A plan in which everything is said.
    public init(
        accessLifetimeNanoseconds: Int64, refreshLifetimeNanoseconds: Int64,
        lifetimeJitterNanoseconds: Int64, refresh: RefreshSemantics,
        refreshRevokesAccessTokens: Bool, revocationLagNanoseconds: Int64
    ) {
        self.accessLifetimeNanoseconds = accessLifetimeNanoseconds
        self.refreshLifetimeNanoseconds = refreshLifetimeNanoseconds
        self.lifetimeJitterNanoseconds = lifetimeJitterNanoseconds
        self.refresh = refresh
        self.refreshRevokesAccessTokens = refreshRevokesAccessTokens
        self.revocationLagNanoseconds = revocationLagNanoseconds
    }

    /// Whether the server must remember families at all.
    var keepsFamilies: Bool { refresh.isRotating || refreshRevokesAccessTokens }
}
