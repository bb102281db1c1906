import SquallHTTP
import Synchronization

/// A request that waits for an event that can never happen.
public struct ParkedRequest: Sendable {
    /// The number of the user, as the request's session has it.
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
    /// True as soon as the program has ended, after which nothing waits any more.
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

    /// A cancelled request is parked no longer.
    func unpark() {
        session.environment.parked.withLock { $0.unpark(self) }
    }

    /// Tells the monitors that a completion was called once too often.
    func reportSecondCall(of place: LostCompletion) {
        notify { $0.request(self, didCallAgain: place) }
    }

    @inline(__always)
    func notify(_ tell: (any EventMonitor) -> Void) { session.environment.notify(tell) }

    /// Tells the monitors that hear every stage.
    @inline(__always)
    func notifyOfStage(_ tell: (any EventMonitor) -> Void) {
        let environment = session.environment
        guard environment.isMonitoredInStages else { return }
        environment.notify { if $0.hearsStages { tell($0) } }
    }
}

/// The wait for a completion that must be called exactly once.
///
/// The completion holds a guard. If the last copy of the completion is freed before it was called,
/// it can never be called: that is reported at once, and the request stays parked, as it would on a
/// phone, until its environment releases it.
///
/// A completion that is called before its interceptor returns, as nearly all are, costs no
/// suspension.
final class OneShot<Value: Sendable>: Sendable {
    fileprivate enum Phase {
        /// The interceptor runs.
        case pending
        /// The interceptor has called before it returned.
        case called
        /// Other code holds the completion.
        case waiting
        /// The value has been handed over; a second call is a mistake.
        case done
        /// No caller waits any more; calls are allowed and change nothing.
        case abandoned
    }

    fileprivate struct State {
        var phase = Phase.pending
        /// The value of the completion's call, until it is taken.
        var value: Value?
        var waiter: UnsafeContinuation<Value?, Never>?
    }

    private let request: Request
    private let place: LostCompletion.Place
    private let type: Any.Type
    private let state = Mutex(State())

    private init(request: Request, place: LostCompletion.Place, type: Any.Type) {
        self.request = request
        self.place = place
        self.type = type
    }

    /// Runs code with a completion and waits until it is called.
    ///
    /// - Returns: the value of the completion's call; `nil` when it can never be called and the
    ///   environment released the request, or when the wait was cancelled, where that is allowed.
    static func value(
        for request: Request, at place: LostCompletion.Place, in type: Any.Type,
        endsWhenCancelled: @autoclosure () -> Bool,
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value? {
        let shot = OneShot(request: request, place: place, type: type)
        start(shot.completion())
        if let value = shot.takeEarlyValue() { return value }
        guard endsWhenCancelled() else { return await shot.wait() }
        request.setInterruption { shot.abandon() }
        defer { request.setInterruption(nil) }
        return await withTaskCancellationHandler {
            await shot.wait()
        } onCancel: {
            shot.abandon()
        }
    }

    private func completion() -> @Sendable (Value) -> Void {
        let held = Guard(shot: self)
        return { held.shot.complete($0) }
    }

    private func wait() async -> Value? {
        let environment = request.session.environment
        let number = environment.heldWaits.withLock { $0.begin { [self] in release() } }
        guard let number else {
            release()
            return nil
        }
        defer { environment.heldWaits.withLock { $0.end(number) } }
        return await withUnsafeContinuation { continuation in
            let (isOver, value) = state.withLock { state -> (Bool, Value?) in
                guard state.phase == .pending else { return (true, state.take()) }
                state.phase = .waiting
                state.waiter = continuation
                return (false, nil)
            }
            if isOver { continuation.resume(returning: value) }
        }
    }

    private func takeEarlyValue() -> Value? { state.withLock { $0.take() } }

    private func complete(_ value: Value) {
        let (waiter, isMistake) = state.withLock { $0.complete(value) }
        if isMistake { request.reportSecondCall(of: LostCompletion(place: place, in: type)) }
        waiter?.resume(returning: value)
    }

    /// The last copy of the completion was freed.
    private func lose() {
        let isLost = state.withLock { $0.phase == .pending || $0.phase == .waiting }
        guard isLost else { return }
        request.park(at: LostCompletion(place: place, in: type)) { self.abandon() }
    }

    /// Ends the wait because the program has ended; no retrier is asked about the request any more.
    private func release() {
        request.withState { $0.isReleased = true }
        abandon()
    }

    /// Ends the wait without a value.
    private func abandon() {
        let waiter = state.withLock { $0.abandon() }
        request.unpark()
        waiter?.resume(returning: nil)
    }

    /// What a completion holds; freed with its last copy.
    private final class Guard: Sendable {
        let shot: OneShot

        init(shot: OneShot) { self.shot = shot }

        deinit { shot.lose() }
    }
}

extension OneShot.State {
    /// Takes the value of a completion that was called early.
    fileprivate mutating func take() -> Value? {
        guard phase == .called else { return nil }
        phase = .done
        return value.take()
    }

    /// Notes a call; returns its waiter, and whether the call is one too many.
    fileprivate mutating func complete(
        _ value: Value
    ) -> (waiter: UnsafeContinuation<Value?, Never>?, isMistake: Bool) {
        switch phase {
        case .pending:
            phase = .called
            self.value = value
            return (nil, false)
        case .waiting:
            phase = .done
            return (waiter.take(), false)
        case .called, .done: return (nil, true)
        case .abandoned: return (nil, false)
        }
    }

    fileprivate mutating func abandon() -> UnsafeContinuation<Value?, Never>? {
        guard phase == .pending || phase == .waiting else { return nil }
        phase = .abandoned
        return waiter.take()
    }
}
