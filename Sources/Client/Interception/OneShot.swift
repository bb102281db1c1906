internal import Synchronization

/// The wait for a completion that must be called exactly once.
///
/// The completion holds a guard. When the last copy of the completion is freed and nobody has
/// called it, nobody ever will: that is reported at once, and the request stays parked, as it would
/// on a phone, until its environment releases it.
///
/// A completion that is called before its interceptor returns, as nearly all are, costs no
/// suspension.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        /// The interceptor runs.
        case pending
        /// The interceptor has called before it returned.
        case called(Value)
        /// The completion is in somebody's hands.
        case waiting(UnsafeContinuation<Value?, Never>)
        /// The value has been handed over: another call is a mistake.
        case done
        /// Nobody waits any more; calls are in order and change nothing.
        case abandoned
    }

    private let request: Request
    private let place: LostCompletion.Place
    private let type: Any.Type
    private let state = Mutex(State.pending)

    private init(request: Request, place: LostCompletion.Place, type: Any.Type) {
        self.request = request
        self.place = place
        self.type = type
    }

    /// Runs code with a completion and waits until it is called.
    ///
    /// - Returns: what the completion was called with; `nil` when it never will be and the
    ///   environment released the request, or when the wait could be and was cancelled.
    static func value(
        for request: Request, at place: LostCompletion.Place, in type: Any.Type,
        endsWhenCancelled: Bool,
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value? {
        let shot = OneShot(request: request, place: place, type: type)
        start(shot.completion())
        if let value = shot.takeEarlyValue() { return value }
        guard endsWhenCancelled else { return await shot.wait() }
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
        await withUnsafeContinuation { continuation in
            let answer: Value?? = state.withLock { state in
                switch state {
                case .called(let value):
                    state = .done
                    return value
                case .pending:
                    state = .waiting(continuation)
                    return nil
                case .abandoned, .waiting, .done: return .some(nil)
                }
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    private func takeEarlyValue() -> Value? {
        state.withLock { state in
            guard case .called(let value) = state else { return nil }
            state = .done
            return value
        }
    }

    private func complete(_ value: Value) {
        let (waiter, isMistake) = state.withLock { state in
            switch state {
            case .pending:
                state = .called(value)
                return (UnsafeContinuation<Value?, Never>?.none, false)
            case .waiting(let continuation):
                state = .done
                return (continuation, false)
            case .called, .done: return (nil, true)
            case .abandoned: return (nil, false)
            }
        }
        if isMistake { request.reportSecondCall(of: LostCompletion(place: place, in: type)) }
        waiter?.resume(returning: value)
    }

    /// Nobody holds the completion any more.
    private func lose() {
        let isLost = state.withLock { state in
            switch state {
            case .pending, .waiting: true
            case .called, .done, .abandoned: false
            }
        }
        guard isLost else { return }
        request.park(at: LostCompletion(place: place, in: type)) { self.abandon() }
    }

    /// Ends the wait without a value.
    private func abandon() {
        let waiter: UnsafeContinuation<Value?, Never>? = state.withLock { state in
            switch state {
            case .called, .done, .abandoned: return nil
            case .pending:
                state = .abandoned
                return nil
            case .waiting(let continuation):
                state = .abandoned
                return continuation
            }
        }
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
