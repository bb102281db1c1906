/// How long tokens live, and what a refresh does to them.
public struct TokenPolicy: Sendable {
    /// Life of an access token; 5 minutes unless said otherwise.
    public var accessLifetimeNanoseconds: Int64 = 300_000_000_000
    /// Life of a refresh token; 6 hours unless said otherwise.
    public var refreshLifetimeNanoseconds: Int64 = 21_600_000_000_000
    /// An access token lives shorter by up to this, evenly, by user and instant of issue.
    public var lifetimeJitterNanoseconds: Int64 = 0
    /// What becomes of a refresh token that is shown.
    public var refresh = RefreshSemantics.coexist
    /// Whether a refresh ends the life of older access tokens, and a revocation that of all.
    public var refreshRevokesAccessTokens = false
    /// For how long the newest token of a revoked family still refreshes: a revocation that leaks.
    public var revocationLagNanoseconds: Int64 = 0

    /// The defaults.
    public init() {}

    /// Whether the server must remember families at all.
    var keepsFamilies: Bool { refresh.isRotating || refreshRevokesAccessTokens }
}
