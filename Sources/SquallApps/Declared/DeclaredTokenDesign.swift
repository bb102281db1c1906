/// A token design by parameters: what notices an expiry, how tokens are refreshed, what follows.
///
/// The table of settings gives the defaults, which are the right design: one refresh at a time,
/// calls that are refused meanwhile wait for it, a late refusal takes the new token, and only a
/// dead refresh token signs out.
public struct DeclaredTokenDesign: Sendable, Hashable {
    /// What notices that the access token has expired; if empty, nothing does.
    public var notices: Set<Notice>
    /// How long before its expiry a token counts as expired, where the clock notices.
    public var aheadNanoseconds: Int64
    /// Whether calls refused during a refresh wait for it; otherwise each refreshes.
    public var isSingleFlight: Bool
    /// Whether a refusal of a token that has been replaced meanwhile refreshes again.
    public var refreshesLate: Bool
    /// How often a call is sent again at the most; `nil` for no limit.
    public var resends: Int?
    /// How long a call waits before it is sent again.
    public var resendDelayNanoseconds: Int64
    /// How often a refresh is tried before it counts as failed.
    public var refreshAttempts: Int
    /// How long it waits between two tries.
    public var refreshDelayNanoseconds: Int64
    /// Whether a refresh that is answered "expired" refreshes itself.
    public var refreshNotices: Bool
    /// Whether a call whose refresh failed refreshes again when its body does not decode.
    public var asksTwice: Bool
    /// What a failed refresh does to the session.
    public var failedRefresh: FailedRefresh
    /// The cases in which a waiting call never gets an answer.
    public var forgets: Set<Forgotten>
    /// Whether it also covers calls that are declared to bypass the design.
    public var coversEveryCall: Bool

    /// A design of its parameters.
    public init(
        notices: Set<Notice>,
        aheadNanoseconds: Int64,
        isSingleFlight: Bool,
        refreshesLate: Bool,
        resends: Int?,
        resendDelayNanoseconds: Int64,
        refreshAttempts: Int,
        refreshDelayNanoseconds: Int64,
        refreshNotices: Bool,
        asksTwice: Bool,
        failedRefresh: FailedRefresh,
        forgets: Set<Forgotten>,
        coversEveryCall: Bool
    ) {
        self.notices = notices
        self.aheadNanoseconds = aheadNanoseconds
        self.isSingleFlight = isSingleFlight
        self.refreshesLate = refreshesLate
        self.resends = resends
        self.resendDelayNanoseconds = resendDelayNanoseconds
        self.refreshAttempts = refreshAttempts
        self.refreshDelayNanoseconds = refreshDelayNanoseconds
        self.refreshNotices = refreshNotices
        self.asksTwice = asksTwice
        self.failedRefresh = failedRefresh
        self.forgets = forgets
        self.coversEveryCall = coversEveryCall
    }

    /// What notices an expiry.
    public enum Notice: String, Sendable, CaseIterable {
        /// The status of an answer, whatever its body says.
        case status
        /// The status and the body of an answer, both as the service declares them.
        case body
        /// A body of another type than expected, with that status.
        case decoding
        /// The clock, before a call is sent.
        case clock
    }

    /// What a failed refresh does to the session.
    public enum FailedRefresh: String, Sendable, CaseIterable {
        /// Any failure ends it.
        case signOut
        /// Only a dead refresh token ends it.
        case signOutWhenDead
        /// Nothing: calls fail until the user signs out by hand.
        case keep
    }

    /// A case in which a waiting call never gets an answer.
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
