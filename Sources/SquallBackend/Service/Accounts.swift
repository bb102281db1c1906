public import SquallKernel

/// The people who had an account with a service before the run, by the numbers of users.
public protocol Accounts: AnyObject {
    /// What a user types to sign in.
    func credentials(of user: UInt64) -> (email: String, password: String)

    /// Makes a user one who signed in before the run, with a refresh token issued now and an access
    /// token that lives for this long from now: its whole life when `nil`, and no time with 0.
    func signIn(
        _ user: UInt64, accessLifetime: Int64?, at now: Instant, tokens: TokenMint
    ) -> SignedInUser
}

/// What a sign-in brings.
public struct SignedInUser: Sendable, Hashable {
    /// The server's identifier of the user.
    public let userID: String
    /// The e-mail address.
    public let email: String
    /// The name that other users see.
    public let nick: String
    /// The short-lived token.
    public let accessToken: String
    /// The token that buys new access tokens.
    public let refreshToken: String
    /// When the access token expires; `nil` where the service does not tell.
    public let accessExpiry: Instant?

    /// A signed-in user of its parts.
    public init(
        userID: String, email: String, nick: String, accessToken: String, refreshToken: String,
        accessExpiry: Instant? = nil
    ) {
        self.userID = userID
        self.email = email
        self.nick = nick
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.accessExpiry = accessExpiry
    }
}
