import SquallBackend
import SquallClient
import SquallHTTP

/// A device's network in one life of its app: gives its requests numbers that no other life has.
struct RaceTransport: Transport {
    let inner: any Transport
    let offset: UInt32

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        var cause = cause
        cause.request += offset
        cause.refreshFor = cause.refreshFor.map { $0 + offset }
        return try await inner.send(request, cause: cause)
    }
}
