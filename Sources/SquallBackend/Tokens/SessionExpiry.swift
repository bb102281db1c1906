/// Tells which refreshes the expiries of one session's access tokens need: the one definition, by
/// which runs, worlds of tests and invariants count.
///
/// The first answer "expired" to a request that was handed over since the device got its token
/// reveals an expiry. An expiry is worth one refresh that succeeds; after one that failed, another
/// try is right. A refresh is redundant when another one of the same token was under way or had
/// succeeded when it was handed over, whatever made the client refresh. So the refresh for a late
/// refusal is redundant, and so is the second one of a client that looks at its clock.
///
/// Moments only have to grow: virtual time in a run, positions in a log. 24 bytes.
public struct SessionExpiry: Sendable {
    /// When the device got its newest token.
    private var renewedAt = Int64.min
    /// When the last failed refresh of that token ended.
    private var triedUntil = Int64.min
    /// Whether a refusal has told that this token has expired.
    private var isNoticed = false
    /// Whether a refusal has told so of an older token.
    private var wasRefused = false

    /// A session that has a token and has had no answer yet.
    public init() {}

    /// What an answer "expired" tells of the device's token.
    public enum Refusal: Sendable {
        /// It has expired, which was not known yet.
        case first
        /// It has expired, which was known.
        case further
        /// Nothing: it was about a token that has been replaced meanwhile.
        case late
    }

    /// Whether the expiry of a token needed the refresh that was to replace it.
    public enum Reason: Hashable, Sendable {
        /// A refusal had told of the expiry, and no other refresh was made.
        case needed
        /// No answer "expired" asked for it, as with a client that looks at its clock.
        case unprompted
        /// Another refresh of the same token was under way, or had succeeded.
        case again
        /// A late refusal of a token that had been replaced asked for it.
        case late

        /// Whether it was one too many.
        public var isRedundant: Bool { self == .again || self == .late }
    }

    /// Notes that a request that was handed over at a moment was answered "expired".
    ///
    /// `isOlder` says that it is known to have shown an older token than the device had by then:
    /// the token had been put on it before the new one came.
    public mutating func refused(
        handedOverAt moment: Int64, isOlder: Bool = false
    ) -> Refusal {
        guard moment >= renewedAt, !isOlder else {
            wasRefused = true
            return .late
        }
        defer { isNoticed = true }
        return isNoticed ? .further : .first
    }

    /// Notes that a refresh that was handed over at a moment has ended; returns its reason.
    ///
    /// `isPrompted` says whether a refused call made the client refresh: where the newest token was
    /// not refused, that was a refusal of an older one. `isSpent` says that it is known to have
    /// shown a refresh token that had been exchanged for another.
    public mutating func refreshEnded(
        handedOverAt moment: Int64, isPrompted: Bool, isSpent: Bool = false, succeeded: Bool,
        at now: Int64
    ) -> Reason {
        let reason: Reason =
            if isSpent || moment < renewedAt || moment < triedUntil {
                .again
            } else if isNoticed {
                .needed
            } else {
                isPrompted && wasRefused ? .late : .unprompted
            }
        if succeeded {
            renewed(at: now)
        } else if moment >= renewedAt {
            triedUntil = now
        }
        return reason
    }

    /// Notes that the device has got a new token: by a sign-in, or by a refresh.
    public mutating func renewed(at now: Int64) {
        wasRefused = wasRefused || isNoticed
        (renewedAt, triedUntil, isNoticed) = (now, .min, false)
    }
}
