import SquallHTTP
import SquallKernel

/// The network as a page in a web view sees it.
struct WebViewTransport: Transport {
    let backend: Backend

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let exchange = Exchange(
            request, cause: cause, to: backend.services.destination(of: request),
            at: backend.simulation.now)
        let result: Exchange.Result = await withUnsafeContinuation { continuation in
            exchange.continuation = continuation
            backend.visit(exchange)
        }
        return try result.get()
    }
}
