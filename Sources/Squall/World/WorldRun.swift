import SquallBackend
public import SquallKernel

/// What happened in a world, as its services saw it.
public struct WorldRun: Sendable {
    /// What everything that was left to chance was decided by.
    public let seed: UInt64
    /// Every request that services received, in the order of their replies.
    public internal(set) var log: [LogEntry] = []
    /// How many refreshes were for a token that another refresh was for already, or had been.
    ///
    /// Each token that expires is worth one refresh. One that is sent while another of the same
    /// token is under way or after it succeeded is one too many, whatever made the client send it:
    /// a late refusal, a clock, or a refresh token that has been exchanged. With a server that
    /// rotates refresh tokens it may end the session. After one that failed, another try is right.
    public internal(set) var redundantRefreshes = 0
    /// What never came to its end; empty when the body did.
    public internal(set) var hangs: [Hang] = []
    /// What ``TestWorld/expect(_:_:file:line:)`` was told and what was not so.
    public internal(set) var disappointments: [Disappointment] = []
    /// What the code did that no world can have.
    public internal(set) var escapes: [Escape] = []
    /// How much virtual time had passed when the body ended.
    public internal(set) var elapsed: Duration = .zero
    /// What the body threw, or why the world came to nothing.
    public internal(set) var failure: (any Error)?

    /// Why a run is of no use: what no world can have comes first, because what the body threw may
    /// follow from it.
    var cause: (any Error)? {
        escapes.isEmpty ? failure : WorldError.escaped(escapes)
    }

    /// How many requests services received.
    public var calls: Int { log.count }
    /// How many of them were refreshes.
    public var refreshes: Int { log.count { $0.isRefresh } }
    /// How many of those brought a token.
    public var successfulRefreshes: Int {
        log.count { $0.isRefresh && $0.meaning == .success }
    }
    /// How many were refused because their access token had expired.
    public var expired: Int { log.count { $0.meaning == .expired } }
    /// How many were told that only signing in helps.
    public var signedOut: Int { log.count { $0.meaning == .signedOut } }

    init(seed: UInt64) { self.seed = seed }

    mutating func take(from world: TestWorld, endedAt end: Instant) {
        log = world.services.flatMap(\.log).sorted { $0.order < $1.order }
        redundantRefreshes = world.services.reduce(0) { $0 + $1.redundantRefreshes.count }
        disappointments = world.disappointments
        escapes = world.dispatch.escapes
        elapsed = .nanoseconds(end.nanoseconds)
    }
}

/// Something that had to be so and was not.
public struct Disappointment: Hashable, Sendable, CustomStringConvertible {
    /// What had to be so.
    public let sentence: String
    /// Where that is said: file and line.
    public let place: String
    /// When it was not so.
    public let instant: Instant

    /// The sentence and its place.
    public var description: String { "not so: \(sentence) (\(place))" }
}

/// Something that never came to its end.
public struct Hang: Hashable, Sendable, CustomStringConvertible {
    /// What it is.
    public let what: String
    /// Why it does not go on.
    public let reason: String
    /// Since when.
    public let since: Instant

    /// All of it.
    public var description: String { "\(what): \(reason), since \(since)" }
}
