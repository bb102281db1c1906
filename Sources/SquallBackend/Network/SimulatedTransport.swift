import SquallHTTP
import SquallKernel

/// The network as a client's session sees it.
struct SimulatedTransport: Transport {
    let farSide: FarSide

    /// How long it takes to find out that there is no network any more.
    private static let closedNanoseconds: Int64 = 1_000_000_000

    nonisolated(nonsending)
        func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        if farSide.isClosed {
            try? await farSide.simulation.sleep(nanoseconds: Self.closedNanoseconds)
            throw TransportError(.notConnectedToInternet)
        }
        let exchange = Exchange(
            request, cause: cause, to: &farSide.services, at: farSide.simulation.now)
        exchange.farSide = farSide
        let result: Exchange.Result = await suspended(in: exchange) { continuation in
            guard !Task.isCancelled else {
                return continuation.resume(returning: .failure(TransportError(.cancelled)))
            }
            exchange.continuation = continuation
            farSide.begin(exchange)
        }
        return try result.get()
    }
}
