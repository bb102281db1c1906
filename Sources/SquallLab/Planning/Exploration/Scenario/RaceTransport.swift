import SquallBackend
import SquallClient
import SquallHTTP

/// A device's network in one life of its app: gives its requests numbers that no other life has.
struct RaceTransport: Transport {
    private let inner: any Transport
    /// Added to the numbers of requests, which each life counts from 0.
    let offset: UInt32

    init(_ inner: any Transport, life: Int) {
        self.inner = inner
        offset = UInt32(life) * 10_000
    }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        var cause = cause
        cause.request += offset
        cause.refreshFor = cause.refreshFor.map { $0 + offset }
        return try await inner.send(request, cause: cause)
    }
}
