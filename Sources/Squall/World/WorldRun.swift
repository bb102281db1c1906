import SquallBackend
import SquallFormat
public import SquallKernel

/// What happened in a world, as its services saw it.
public struct WorldRun: Sendable {
    /// The number from which everything random in this world was derived.
    public let seed: UInt64
    /// Every request that services received, in the order of their replies.
    public internal(set) var log: [LogEntry] = []
    /// The number of refreshes for a token that another refresh was already for, or had been.
    ///
    /// Each token that expires is worth one refresh. A refresh that is sent while another of the
    /// same token is under way, or after it succeeded, is redundant, whatever made the client send
    /// it: a late refusal, a clock, or a refresh token that has been exchanged. With a server that
    /// rotates refresh tokens it may end the session. After a failed one, another try is right.
    public internal(set) var redundantRefreshes = 0
    /// Tasks and requests that never ended; empty when the body did.
    public internal(set) var hangs: [Hang] = []
    /// Expectations of ``TestWorld/expect(_:_:file:line:)`` that failed.
    public internal(set) var failedExpectations: [FailedExpectation] = []
    /// Actions of the code that no world can contain.
    public internal(set) var escapes: [Escape] = []
    /// How much virtual time had passed when the body ended.
    public internal(set) var elapsed: Duration = .zero
    /// The body's error, or the error that stopped the world.
    public internal(set) var failure: (any Error)?

    /// Why a run's result cannot be used, if it cannot.
    ///
    /// Escapes come first, because the body's error may follow from them. When the body does not
    /// end, what it expects after that point was never checked.
    var cause: (any Error)? {
        if !escapes.isEmpty { return WorldError.escaped(escapes) }
        if let failure { return failure }
        if !hangs.isEmpty { return WorldError.hung(hangs) }
        return failedExpectations.isEmpty ? nil : WorldError.expectationsFailed(failedExpectations)
    }

    /// How many requests services received.
    public var calls: Int { log.count }
    /// How many of `calls` were refreshes.
    public var refreshes: Int { log.count { $0.isRefresh } }
    /// How many of `refreshes` brought a token.
    public var successfulRefreshes: Int {
        log.count { $0.isRefresh && $0.meaning == .success }
    }
    /// How many of `calls` were refused because their access token had expired.
    public var expired: Int { log.count { $0.meaning == .expired } }
    /// How many of `calls` were refused so that only signing in again helps.
    public var signedOut: Int { log.count { $0.meaning == .signedOut } }

    /// What services were asked for and do not have, in sentences.
    private var lacks: [String] = []

    init(seed: UInt64) { self.seed = seed }

    mutating func take(from world: TestWorld, endedAt end: Instant) {
        log = world.services.flatMap(\.log).ordered { $0.replied < $1.replied }
        redundantRefreshes = world.services.reduce(0) { $0 + $1.redundantRefreshes }
        lacks = world.services.flatMap(\.lacks)
        failedExpectations = world.failedExpectations
        escapes = world.dispatch.escapes
        elapsed = .nanoseconds(end.nanoseconds)
    }
}

/// An expectation that failed.
public struct FailedExpectation: Hashable, Sendable, CustomStringConvertible {
    /// What was expected.
    public let sentence: String
    /// The place of the expectation: file and line.
    public let place: String
    /// When it failed.
    public let instant: Instant

    /// One line with the sentence and its place.
    public var description: String { "not so: \(sentence) (\(place))" }
}

/// A task or a request that never ended.
public struct Hang: Hashable, Sendable, CustomStringConvertible {
    /// The task or the request, by its name in the code.
    public let what: String
    /// What it waits for.
    public let reason: String
    /// The virtual time at which it began to wait.
    public let since: Instant

    /// One line with what hangs, why, and since when.
    public var description: String { "\(what): \(reason), since \(since)" }
}

extension WorldRun: CustomStringConvertible {
    /// What happened in words: what was wrong, sums, then every request with its time.
    public var description: String {
        let sums = """
            seed \(seed): \(calls) calls, \(expired) told that the token has expired, \
            \(refreshes) refreshes, \(signedOut) signed out, \(elapsed) of virtual time
            """
        return (warnings + [sums] + log.map(\.description)).joined(separator: "\n")
    }

    private var warnings: [String] {
        let races = redundantRefreshes
        let named = """
            race: \(races) refresh\(races == 1 ? "" : "es") of a token that had been refreshed \
            already
            """
        return lacks + (races > 0 ? [named] : []) + failedExpectations.map { "\($0)" }
            + hangs.map { "hangs: \($0)" }
            + escapes.map { "escaped: \($0)" }
    }
}
