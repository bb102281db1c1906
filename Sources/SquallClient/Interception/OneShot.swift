import Synchronization

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
