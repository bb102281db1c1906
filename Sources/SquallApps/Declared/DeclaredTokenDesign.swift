/// A token design by parameters: how it notices an expiry, how it refreshes, and what calls do
/// after that.
///
/// The defaults, which are those of a profile's settings, are the right design: one refresh at a
/// time, calls that are refused meanwhile wait for it, a late refusal takes the new token, and only
/// a dead refresh token signs out.
public struct DeclaredTokenDesign: Sendable, Hashable {
    /// The signs of an expired access token that it heeds; if empty, it notices none.
    public var notices: Set<Notice> = [.status]
    /// How long before its expiry a token counts as expired, where the clock notices; negative
    /// where it still counts as good for a while.
    public var aheadNanoseconds: Int64 = 30_000_000_000
    /// Up to how much shorter that is, drawn anew for each token.
    public var aheadJitterNanoseconds: Int64 = 0
    /// True if a refusal drops the token and sends the call again; the clock refreshes before that.
    public var dropsRefused = false
    /// From how long before its expiry on one call refreshes while others go on with the token.
    ///
    /// A refresh that fails then fails no call. Nothing is refreshed as early when 0.
    public var advisoryNanoseconds: Int64 = 0
    /// The rule for a token for which no response states how long it lives.
    public var missingLifetime = MissingLifetime.noEnd
    /// True if calls that are refused during a refresh wait for it; otherwise each refreshes.
    public var isSingleFlight = true
    /// True if the refusal of a token that has been replaced meanwhile refreshes again.
    public var refreshesLate = false
    /// How often a call is sent again at the most; `nil` for no limit.
    public var resends: Int? = 1
    /// The time that a call waits before it is sent again.
    public var resendDelayNanoseconds: Int64 = 0
    /// Up to how much longer, drawn for each time.
    public var resendJitterNanoseconds: Int64 = 0
    /// How often a refresh is tried before it counts as failed.
    public var refreshAttempts = 1
    /// The time that it waits between two tries.
    public var refreshDelayNanoseconds: Int64 = 0
    /// Numbers and waits of tries for certain failures of a refresh; the first row that names the
    /// failure holds.
    public var refreshRetries: [RefreshRetry] = []
    /// True if nothing is refreshed before the moment that a 429 or 503 has named.
    public var heedsRetryAfter = true
    /// True if a failed refresh is sent a second time at once, as long as none has succeeded.
    public var probes = false
    /// The grant that brings a new access token.
    public var renewal = Renewal.refreshToken
    /// The actions of calls that waited for a refresh which succeeded, and for one which failed.
    public var (waitersAfterSuccess, waitersAfterFailure) = (Waiting.lookAgain, Waiting.takeResult)
    /// True if a refresh with an expired response refreshes itself.
    public var refreshNotices = false
    /// True if a call whose refresh failed refreshes again when its body does not decode.
    public var asksTwice = false
    /// The effect of a failed refresh on the session.
    public var failedRefresh = FailedRefresh.signOutWhenDead
    /// The cases in which a waiting call never gets a response.
    public var forgets: Set<Forgotten> = []
    /// True if it also covers calls that are declared to bypass the design.
    public var coversEveryCall = false

    /// The design of a profile that says nothing.
    public init() {}

    /// The action of a call when the refresh that it waited for has ended.
    public enum Waiting: String, Sendable, CaseIterable {
        /// It goes on with the new token, or fails as the refresh did.
        case takeResult
        /// It looks at the token that is there now, and refreshes if that one is no good either.
        case lookAgain
        /// It refreshes too, even if there is a new token.
        case refresh
        /// It signs in for a token of its own, even if there is a new one.
        case signIn
    }

    /// The grant that brings a new access token.
    public enum Renewal: String, Sendable, CaseIterable {
        /// The refresh token.
        case refreshToken
        /// The account once more: its password, or the client's own credentials.
        case signIn
        /// The refresh token once, and the account when that fails and from then on.
        case refreshTokenThenSignIn
    }

    /// The rule for a token for which no response states how long it lives.
    public enum MissingLifetime: String, Sendable, CaseIterable {
        /// It has no end.
        case noEnd
        /// It has ended, so that each call refreshes.
        case ended
        /// The end of the token before it still holds, and the call that refreshed fails.
        case fails
    }

    /// A sign by which an expiry is noticed.
    public enum Notice: String, Sendable, CaseIterable {
        /// The status of a response, whatever its body says.
        case status
        /// The status and the body of a response, both as the service declares them.
        case body
        /// A body of another type than expected, with that status.
        case decoding
        /// The clock, before a call is sent.
        case clock
    }

    /// The effect of a failed refresh on the session.
    public enum FailedRefresh: String, Sendable, CaseIterable {
        /// Any failure ends it.
        case signOut
        /// Only a dead refresh token ends it.
        case signOutWhenDead
        /// Nothing: calls fail until the user signs out by hand.
        case keep

        func endsSession(by failure: DeclaredTokenError.Failure) -> Bool {
            switch self {
            case .signOut: true
            case .signOutWhenDead: failure == .dead
            case .keep: false
            }
        }
    }

    /// A case in which a waiting call never gets a response.
    public enum Forgotten: String, Sendable, CaseIterable {
        /// A call has been sent again as often as it may be.
        case resendLimit
        /// The connection of a refresh was lost.
        case refreshLost
        /// A refresh succeeded, but its body has no token.
        case refreshUnreadable
        /// The connection of the call itself was lost.
        case callLost
        /// There is no token to send.
        case noTokens
    }
}
