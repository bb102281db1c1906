import SquallHTTP
import Synchronization

/// A request that waits for an event that can never happen.
public struct ParkedRequest: Sendable {
    /// The user of the request.
    public let user: UInt64
    /// The request's number in its session.
    public let request: UInt32
    /// Its address; empty when it was never built.
    public let url: String
    /// What it waits for.
    public let lost: LostCompletion
    let release: @Sendable () -> Void
    /// How many were parked before: two sessions of a user may number their requests alike.
    fileprivate var ordinal = 0
}

/// The requests that are parked, by the object.
struct ParkedRequests {
    private var requests: [ObjectIdentifier: ParkedRequest] = [:]
    private var ever = 0

    /// In order of user and request, then of parking.
    var sorted: [ParkedRequest] {
        requests.values.sorted {
            ($0.user, $0.request, $0.ordinal) < ($1.user, $1.request, $1.ordinal)
        }
    }

    mutating func park(_ parked: ParkedRequest, of request: Request) {
        var parked = parked
        parked.ordinal = ever
        ever += 1
        requests[ObjectIdentifier(request)] = parked
    }

    mutating func unpark(_ request: Request) { requests[ObjectIdentifier(request)] = nil }

    mutating func removeAll() { requests.removeAll() }
}

/// The waits for a completion that code still holds, by when they began.
///
/// The code that holds it may wait for the very request that waits. Nothing outside frees such a
/// cycle, so the program's end has to.
struct HeldWaits {
    private var waits: [UInt64: @Sendable () -> Void] = [:]
    private var ever: UInt64 = 0
    /// Whether the program has ended, so that nothing waits any more.
    private(set) var areOver = false

    /// Notes a wait and what ends it; returns its number, or `nil` when the program has ended.
    mutating func begin(_ release: @escaping @Sendable () -> Void) -> UInt64? {
        guard !areOver else { return nil }
        ever += 1
        waits[ever] = release
        return ever
    }

    mutating func end(_ number: UInt64) { waits[number] = nil }

    /// What ends all of them, the oldest first; from now on nothing waits.
    mutating func endAll() -> [@Sendable () -> Void] {
        areOver = true
        defer { waits = [:] }
        return waits.sorted { $0.key < $1.key }.map(\.value)
    }
}

extension SessionEnvironment {
    /// The requests that will never end, in order of user and request.
    public var parkedRequests: [ParkedRequest] { parked.withLock(\.sorted) }

    /// Ends the program: every parked request ends with an error, and so does every wait for a
    /// completion that code holds, now or later, so that nothing of them stays behind.
    public func releaseParkedRequests() {
        let held = heldWaits.withLock { $0.endAll() }
        let released = parkedRequests
        parked.withLock { $0.removeAll() }
        for request in released { request.release() }
        for release in held { release() }
    }
}

extension Request {
    /// Notes that the request will never end, and tells the monitors at once.
    ///
    /// A session that fails lost requests releases it instead.
    func park(at place: LostCompletion, release: @escaping @Sendable () -> Void) {
        let environment = session.environment
        notify { $0.request(self, didLose: place) }
        let release: @Sendable () -> Void = { [self] in
            withState { $0.isReleased = true }
            release()
        }
        let isOver = environment.heldWaits.withLock(\.areOver)
        guard !isOver, !environment.configuration.failsLostRequests else { return release() }
        let parked = ParkedRequest(
            user: cause.user, request: cause.request, url: request?.url.absoluteString ?? "",
            lost: place, release: release)
        environment.parked.withLock { $0.park(parked, of: self) }
    }

    /// Waits until the environment releases its parked requests.
    func parkForever(at place: LostCompletion) async {
        await withUnsafeContinuation { continuation in
            park(at: place) { continuation.resume() }
        }
    }

    /// Removes it from the parked requests, because it was cancelled.
    func unpark() {
        session.environment.parked.withLock { $0.unpark(self) }
    }

    /// Tells the monitors that a completion was called once too often.
    func reportSecondCall(of place: LostCompletion) {
        notify { $0.request(self, didCallAgain: place) }
    }

    @inline(__always)
    func notify(_ tell: (any EventMonitor) -> Void) { session.environment.taps?.notify(tell) }

    /// Tells the monitors that hear every stage.
    @inline(__always)
    func notifyOfStage(_ tell: (any EventMonitor) -> Void) {
        let environment = session.environment
        guard environment.isMonitoredInStages else { return }
        environment.taps?.notify { if $0.hearsStages { tell($0) } }
    }
}
