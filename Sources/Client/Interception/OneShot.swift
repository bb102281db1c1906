internal import Synchronization

/// A completion that must be called exactly once, watched.
///
/// The completion holds this object. When the last copy of the completion is freed and nobody has
/// called it, nobody ever will: that is reported at once, and the request stays parked, as it would
/// on a phone, until its environment releases it.
final class OneShot<Value: Sendable>: Sendable {
    private typealias Waiting = CheckedContinuation<Value?, Never>

    private let request: Request
    private let place: LostCompletion
    private let waiting: Mutex<CheckedContinuation<Value?, Never>?>

    private init(
        _ continuation: CheckedContinuation<Value?, Never>, request: Request, place: LostCompletion
    ) {
        self.request = request
        self.place = place
        waiting = Mutex(continuation)
    }

    deinit {
        guard let continuation = waiting.withLock({ $0.take() }) else { return }
        request.park(at: place) { continuation.resume(returning: nil) }
    }

    /// Runs code with a completion and waits until it is called; `nil` if it never will be.
    static func value(
        for request: Request, at place: LostCompletion,
        _ start: (@escaping @Sendable (Value) -> Void) -> Void
    ) async -> Value? {
        let value = await withCheckedContinuation { continuation in
            let shot = OneShot(continuation, request: request, place: place)
            start { shot.complete($0) }
        }
        if value == nil { request.withState { $0.isReleased = true } }
        return value
    }

    private func complete(_ value: Value) {
        if let continuation = waiting.withLock({ $0.take() }) {
            continuation.resume(returning: value)
        } else {
            request.reportSecondCall(of: place)
        }
    }
}

/// A request that waits for a completion which can never be called any more.
public struct ParkedRequest: Sendable {
    /// Whose request it is.
    public let user: UInt64
    /// The request's number in its session.
    public let request: UInt32
    /// Where it was going.
    public let url: String
    /// Where its completion was lost.
    public let lost: LostCompletion
    let release: @Sendable () -> Void
}

extension SessionEnvironment {
    /// The requests that will never end, in order of user and request.
    public var parkedRequests: [ParkedRequest] {
        parked.withLock { Array($0.values) }.sorted {
            ($0.user, $0.request) < ($1.user, $1.request)
        }
    }

    /// Ends every parked request with an error, so that nothing of them stays behind.
    public func releaseParkedRequests() {
        let released = parkedRequests
        parked.withLock { $0.removeAll() }
        for request in released { request.release() }
    }
}
