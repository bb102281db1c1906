import SquallHTTP
import SquallKernel

/// The network as a client's session sees it.
struct SimulatedTransport: Transport, UntaskedTransport {
    let backend: Backend

    /// A policy chooses among tasks; without one an outcome has its turn as a task would.
    var untasked: (any UntaskedTransport)? { backend.simulation.isFirstInFirstOut ? self : nil }

    /// How long it takes to find out that there is no network any more.
    private static let closedNanoseconds: Int64 = 1_000_000_000

    nonisolated(nonsending)
        func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        if backend.isClosed {
            try? await backend.simulation.sleep(nanoseconds: Self.closedNanoseconds)
            throw TransportError(.notConnectedToInternet)
        }
        let exchange = Exchange(request, cause: cause, of: backend)
        let result: Exchange.Result = await suspended(in: exchange) { continuation, stackEnd in
            guard !exchange.isCancelled else {
                return continuation.resume(returning: .failure(TransportError(.cancelled)))
            }
            exchange.continuation = continuation
            backend.begin(exchange, stackEnd: UInt(bitPattern: stackEnd))
        }
        return try result.get()
    }

    func soon(_ begin: @escaping @Sendable () -> Void) { backend.giveTurn(to: begin) }

    func send(
        _ request: URLRequest, cause: RequestCause,
        telling told: @escaping @Sendable (Exchange.Result) -> Void
    ) {
        let exchange = Exchange(request, cause: cause, of: backend)
        (exchange.told, exchange.isToldInTurn) = (told, true)
        guard backend.isClosed else { return backend.begin(exchange) }
        exchange.outcome = .failure(TransportError(.notConnectedToInternet))
        backend.giveTurn(to: exchange, afterNanoseconds: Self.closedNanoseconds)
    }
}

/// The network as a page in a web view sees it.
struct WebViewTransport: Transport {
    let backend: Backend

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let exchange = Exchange(request, cause: cause, of: backend)
        let result: Exchange.Result = await withUnsafeContinuation { continuation in
            exchange.continuation = continuation
            backend.visit(exchange)
        }
        return try result.get()
    }
}
