/// Which refreshes the expiries of one session's access tokens need: the one definition, by which
/// runs, worlds of tests and invariants count.
///
/// An expiry is noticed by the first answer "expired" to a request that was handed over since the
/// device got its token, and is worth one refresh that succeeds; after one that failed, another try
/// is right. A refresh is redundant when another one of the same token was under way or had
/// succeeded when it was handed over, whatever made the client refresh: that of a late refusal is,
/// and so is the second one of a client that looks at its clock.
///
/// Moments only have to grow: virtual time in a run, positions in a log. 24 bytes.
public struct SessionExpiry: Sendable {
    /// When the device got its newest token.
    private var renewedAt = Int64.min
    /// When the last refresh of that token ended that failed.
    private var triedUntil = Int64.min
    /// Whether a refusal has told that this token has expired.
    private var isNoticed = false
    /// Whether a refusal has told so of an older one.
    private var wasRefused = false

    /// A session that has a token, of which nothing was heard yet.
    public init() {}

    /// What an answer "expired" tells of the token that the device has.
    public enum Refusal: Sendable {
        /// It has expired, which nobody had noticed.
        case first
        /// It has expired, as is known.
        case further
        /// Nothing: it was about a token that has been replaced meanwhile.
        case late
    }

    /// What a refresh was to the expiry of the token that it was to replace.
    public enum Reason: Hashable, Sendable {
        /// A refusal had told of the expiry, and nobody else refreshed.
        case needed
        /// No answer "expired" had asked for it, as of a client that looks at its clock.
        case unprompted
        /// Another refresh of the same token was under way, or had succeeded.
        case again
        /// What asked for it was a late refusal of a token that had been replaced.
        case late

        /// Whether it was one too many.
        public var isRedundant: Bool { self == .again || self == .late }
    }

    /// A request that was handed over at a moment was answered "expired".
    ///
    /// `isOlder` says that it is known to have shown an older token than the device had by then:
    /// one that had been put on it before the new one came.
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

    /// A refresh that was handed over at a moment has ended; what it was.
    ///
    /// `isPrompted` says whether a refused call made the client refresh: where the newest token
    /// was not refused, that was a refusal of an older one. `isSpent` says that it is known to
    /// have shown a refresh token that had been exchanged for another.
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

    /// The device has got a new token: by a sign-in, or by a refresh.
    public mutating func renewed(at now: Int64) {
        wasRefused = wasRefused || isNoticed
        (renewedAt, triedUntil, isNoticed) = (now, .min, false)
    }
}
