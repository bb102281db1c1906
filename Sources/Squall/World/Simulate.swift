public import SquallKernel

/// Runs code in a world of its own, in virtual time, on the calling thread.
///
/// **Start here** to read this module. Tasks, actors, Dispatch, sleeps, clocks, locks, random
/// numbers and `URLSession` belong to the world while the body runs; other threads of the process
/// are not affected, so tests in worlds run beside each other and beside tests in real time.
///
/// ```swift
/// let run = try simulate(seed: 1) { world in
///     let server = world.mount(TokenService(.bearer, routes: [.get("/posts", json: "[]")]))
///     let api = MyAPI(URLSession(configuration: server.urlSessionConfiguration))
///     async let first = api.posts()
///     async let second = api.posts()
///     _ = try await (first, second)
/// }
/// #expect(run.refreshes <= 1)
/// ```
///
/// - Parameters:
///   - seed: decides everything that is random; the same seed gives the same run.
///   - schedule: decides among items that can run at the same instant.
///   - window: how much later than due an event may happen where the schedule says so.
///   - limit: how much virtual time may pass.
///   - body: the code; the world ends when it does.
/// - Returns: what happened.
/// - Throws: ``WorldFailure``, which has the run with its log; its cause is a ``WorldError`` when
///   the code did something that no world can contain, when the body did not end, or when one of
///   its expectations failed, otherwise the body's error, or a `SimulationError` when time stands
///   still or the process's runtime does not keep tasks in a world.
@discardableResult
public func simulate(
    seed: UInt64 = 1, schedule: any SchedulingPolicy = FirstInFirstOut(),
    window: Duration = .zero, for limit: Duration = .seconds(86_400),
    _ body: @escaping @Sendable (TestWorld) async throws -> Void
) throws -> WorldRun {
    let run = observe(
        TestWorld(seed: seed, schedule: schedule, window: window), for: limit, body)
    if let cause = run.cause { throw WorldFailure(cause: cause, run: run) }
    return run
}

/// The error that ended a world, and everything that had happened in it.
public struct WorldFailure: Error, Sendable, CustomStringConvertible {
    /// A ``WorldError``, a `SimulationError`, or what the body threw.
    public let cause: any Error
    /// What had happened, with its log.
    public let run: WorldRun

    /// The error, and what had happened.
    public var description: String { "\(cause)\n\(run)" }
}

/// Runs code in a world as ``simulate(seed:schedule:window:for:_:)`` does, and throws nothing.
///
/// Errors, escapes, hangs and failed expectations are in the run, for callers that inspect it or
/// compare many.
public func observe(
    _ world: TestWorld, for limit: Duration = .seconds(86_400),
    _ body: @escaping @Sendable (TestWorld) async throws -> Void
) -> WorldRun { world.run(for: limit, body) }

/// Why a world's result cannot be used.
public enum WorldError: Error, Sendable, CustomStringConvertible {
    /// Its code did things that no world can contain.
    case escaped([Escape])
    /// Its body never ended, or not within the limit.
    case hung([Hang])
    /// Expectations of ``TestWorld/expect(_:_:file:line:)`` failed.
    case expectationsFailed([FailedExpectation])
    /// This executable has its own copy of libdispatch.
    case notInterposed

    /// What happened, in words, with the way out.
    public var description: String {
        switch self {
        case .escaped(let escapes):
            "the world was left: " + escapes.map(\.description).joined(separator: "; ")
        case .hung(let hangs):
            "the body did not end: " + hangs.map(\.description).joined(separator: "; ")
        case .expectationsFailed(let expectations):
            expectations.map(\.description).joined(separator: "; ")
        case .notInterposed:
            """
            Dispatch cannot be made virtual in an executable that links it statically. Build \
            without --static-swift-stdlib.
            """
        }
    }
}
