import SquallBackend
import SquallKernel

/// The mint of a service, as a route's closure uses it: it issues, judges and ends tokens.
///
/// ```swift
/// TokenRoute(.post, "/session/renew") { call in
///     guard let token = call.field("rt"), let new = call.mint.refresh(token) else {
///         return ServiceReply(status: 440, json: #"{"reason": "gone"}"#)
///     }
///     return ServiceReply(json: #"{"at": "\(new.access)", "rt": "\(new.refresh)"}"#)
/// }.asRefresh(token: .body("rt"))
/// ```
public struct ServiceMint: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let tokens: TokenMint
    private let now: Instant
    private let userCount: Int

    init(_ scene: ServiceScene, userCount: Int) {
        tokens = scene.tokens
        now = scene.now
        self.userCount = userCount
    }

    /// Tokens of a new sign-in of a user, by the number of the account.
    public func issue(to user: Int) -> IssuedTokens {
        IssuedTokens(
            access: tokens.issue(.access, to: user, at: now).token,
            refresh: tokens.issue(.refresh, to: user, at: now).token)
    }

    /// The tokens for which a refresh token is exchanged, by the service's semantics; `nil` when it
    /// is not accepted.
    ///
    /// The refresh token stays the same where refreshing does not rotate it.
    public func refresh(_ refresh: String) -> IssuedTokens? {
        let result = tokens.refresh(
            access: nil, refresh: refresh, at: now, isKnown: { $0 < userCount })
        guard case .success(let new) = result else { return nil }
        return IssuedTokens(access: new.access, refresh: new.refresh ?? refresh)
    }

    /// The user of an access token that is good; `nil` for any other token.
    public func user(of access: String) -> Int? {
        guard case .valid(let user) = tokens.judge(access, as: .access, at: now) else {
            return nil
        }
        return user
    }

    /// True for an access token of this service that has expired; false for any other text.
    public func isExpired(_ access: String) -> Bool {
        if case .expired = tokens.judge(access, as: .access, at: now) { true } else { false }
    }

    /// Ends the session of a token of either kind: its refresh tokens are not accepted any more,
    /// and with `accessToo` its access tokens count as expired.
    public func endSession(of token: String, accessToo: Bool = false) {
        tokens.endSession(of: token, accessToo: accessToo)
    }
}

/// The tokens of a sign-in or a refresh.
public struct IssuedTokens: Hashable, Sendable {
    /// The short-lived token that requests show.
    public let access: String
    /// The token that a refresh exchanges.
    public let refresh: String

    /// Tokens by their texts.
    public init(access: String, refresh: String) {
        self.access = access
        self.refresh = refresh
    }
}
