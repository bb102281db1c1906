public import SquallClient

/// An account that an app keeps from an earlier sign-in.
public struct StoredAccount: Sendable, Hashable {
    /// The server's identifier of the user.
    public let userID: String
    /// The e-mail address, with which the user signs in.
    public let email: String
    /// The name that other users see.
    public let nick: String
    /// Both tokens, and when the access token expires.
    public let tokens: TokenPair

    /// An account from its parts; `accessExpiry` is in nanoseconds since 1970, where it is known.
    public init(
        userID: String, email: String, nick: String, accessToken: String, refreshToken: String,
        accessExpiry: Int64? = nil
    ) {
        self.userID = userID
        self.email = email
        self.nick = nick
        tokens = TokenPair(
            access: accessToken, refresh: refreshToken, accessExpiry: accessExpiry)
    }

    /// The short-lived token.
    public var accessToken: String { tokens.access }
    /// The token that buys new access tokens.
    public var refreshToken: String { tokens.refresh }
    /// When the access token expires, in nanoseconds since 1970; `nil` when that is not known.
    public var accessExpiry: Int64? { tokens.accessExpiry }
}
