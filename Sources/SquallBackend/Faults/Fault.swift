public import SquallKernel

/// Something that goes wrong: what, when, to whom and how likely.
public struct Fault: Hashable, Sendable {
    /// What goes wrong.
    public var kind: Kind
    /// When it begins.
    public var start: Instant
    /// The first instant at which it is over; the same as `start` for what happens at once.
    public var end: Instant
    /// Whom it concerns.
    public var scope = Scope()
    /// How likely it strikes an attempt that it concerns.
    public var probability: Double

    /// A fault for everybody, the whole run through unless said otherwise.
    public init(
        _ kind: Kind, from start: Instant = .start, to end: Instant = Instant(nanoseconds: .max),
        scope: Scope = Scope(), probability: Double = 1
    ) {
        self.kind = kind
        self.start = start
        self.end = end
        self.scope = scope
        self.probability = probability
    }

    /// What can go wrong.
    public enum Kind: Hashable, Sendable {
        /// Every access token issued so far counts as expired, as when its key is rotated.
        case expireAllTokens
        /// Every refresh token issued so far counts as expired.
        case revokeRefreshTokens
        /// Both ways take longer: times a factor, and on the way up plus something.
        case latency(factor: Double, added: Distribution)
        /// A worker's time is spent, nothing changes, and the answer has this status.
        case serverError(status: Int)
        /// Signing in and refreshing are answered 503 by a worker that does nothing else.
        case tokenOutage
        /// The server never sees the request.
        case dropRequest(LossNotice)
        /// The server does what was asked, the client never learns of it.
        case dropAnswer(LossNotice)
        /// No connection comes about, and the client learns of it after the way up.
        case refuseConnection
        /// The server gets the request again, one way's time later; the client hears one answer.
        case duplicate
        /// The answer's second half is missing, as behind a proxy that ends a stream too soon.
        case partialBody
        /// Some bytes of the answer are overwritten with ones that no UTF-8 text has.
        case corruptBody
        /// There are so many workers only.
        case capacity(workers: Int)
        /// Each worker's clock is off by up to this, evenly, before or after.
        case clockSkew(nanoseconds: Int64)
    }

    /// Whom a fault concerns; everybody and everything unless said otherwise.
    public struct Scope: Hashable, Sendable {
        /// The calls it concerns, by the names of their endpoints; empty for all.
        public var endpoints: Set<String> = []
        /// The users it concerns; empty for all.
        public var users: [Range<UInt64>] = []
        /// The share of those users it really concerns, the same ones all the time.
        public var fraction = 1.0

        /// Everybody and everything.
        public init() {}
    }

    /// Whether it is under way.
    func isActive(at now: Instant) -> Bool { start <= now && now < end }
}

extension Fault.Kind {
    /// The name of its random streams.
    var streamName: StaticString {
        switch self {
        case .expireAllTokens: "expireAllTokens"
        case .revokeRefreshTokens: "revokeRefreshTokens"
        case .latency: "latency"
        case .serverError: "serverError"
        case .tokenOutage: "tokenOutage"
        case .dropRequest: "dropRequest"
        case .dropAnswer: "dropAnswer"
        case .refuseConnection: "refuseConnection"
        case .duplicate: "duplicate"
        case .partialBody: "partialBody"
        case .corruptBody: "corruptBody"
        case .capacity: "capacity"
        case .clockSkew: "clockSkew"
        }
    }
}
