import SquallHTTP
import SquallKernel

/// The network as a page in a web view sees it.
struct WebViewTransport: Transport {
    let farSide: FarSide

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let exchange = Exchange(
            request, cause: cause, to: &farSide.services, at: farSide.simulation.now)
        let result: Exchange.Result = await withUnsafeContinuation { continuation in
            exchange.continuation = continuation
            farSide.visit(exchange)
        }
        return try result.get()
    }
}
