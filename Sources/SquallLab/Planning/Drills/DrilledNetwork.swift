import SquallBackend
import SquallHTTP
import Synchronization

/// The network of a drilled phone: a killed start of the app receives nothing any more.
final class DrilledNetwork: Transport {
    private let inner: any Transport
    private let state = Mutex(State())

    private struct State {
        var gone: Set<UInt64> = []
        var parked: [UnsafeContinuation<Void, Never>] = []
        var isClosed = false
    }

    init(_ inner: any Transport) { self.inner = inner }

    /// Cuts off a start of the app: its requests are lost, and no answer reaches it.
    func disconnect(_ life: UInt64) { state.withLock { _ = $0.gone.insert(life) } }

    /// Ends the world: parked requests resume, and further sends fail.
    func close() {
        let parked = state.withLock { state in
            state.isClosed = true
            defer { state.parked = [] }
            return state.parked
        }
        for continuation in parked { continuation.resume() }
    }

    /// Waits until the world has ended.
    func park() async {
        await withUnsafeContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isClosed { state.parked.append(continuation) }
                return state.isClosed
            }
            if isOver { continuation.resume() }
        }
    }

    func send(
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

    private func check(_ life: UInt64) async throws(TransportError) {
        let (isGone, isClosed) = state.withLock { ($0.gone.contains(life), $0.isClosed) }
        if isGone, !isClosed { await park() }
        if isGone || isClosed { throw TransportError(.notConnectedToInternet) }
    }
}
