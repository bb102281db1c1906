public import SquallHTTP
import Synchronization

/// The network of a drilled device: a killed start of an app receives nothing any more.
///
/// Cut off like this, what the start has begun waits until the world ends, on whatever threads,
/// queues and locks its code uses. Explorations end the tasks themselves (`killTasks(of:)`), which
/// costs less, and suffices where an app only has tasks and the next start is the same user.
public final class DrilledNetwork: Transport {
    private let inner: any Transport
    private let state = Mutex(State())

    private struct State {
        var gone: Set<UInt64> = []
        var parked: [UnsafeContinuation<Void, Never>] = []
        var isClosed = false
    }

    /// The network in front of another one.
    public init(_ inner: any Transport) { self.inner = inner }

    /// Cuts off a start of the app: its requests are lost, and no response reaches it.
    public func disconnect(_ life: UInt64) { state.withLock { _ = $0.gone.insert(life) } }

    /// Ends the world: parked requests resume, and further sends fail.
    public func close() {
        let parked = state.withLock { state in
            state.isClosed = true
            defer { state.parked = [] }
            return state.parked
        }
        for continuation in parked { continuation.resume() }
    }

    /// Waits until the world has ended.
    public func park() async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isClosed { state.parked.append(continuation) }
                return state.isClosed
            }
            if isOver { continuation.resume() }
        }
    }

    /// Sends a request for the start of the app that is the user of its cause.
    ///
    /// - Throws: what the network throws; an error after the end of the world.
    public func send(
        _ request: URLRequest, cause: RequestCause
    ) async throws(TransportError) -> TransportResponse {
        try await check(cause.user)
        let result: Result<TransportResponse, TransportError>
        do {
            result = .success(try await inner.send(request, cause: cause))
        } catch { result = .failure(error) }
        try await check(cause.user)
        return try result.get()
    }

    /// Waits until the world has ended where a start of the app was killed.
    ///
    /// - Throws: an error after the end of the world.
    public func check(_ life: UInt64) async throws(TransportError) {
        let (isGone, isClosed) = state.withLock { ($0.gone.contains(life), $0.isClosed) }
        if isGone, !isClosed { await park() }
        if isGone || isClosed { throw TransportError(.notConnectedToInternet) }
    }
}
