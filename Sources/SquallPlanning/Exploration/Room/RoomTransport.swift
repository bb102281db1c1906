import SquallBackend
import SquallClient
import SquallHTTP
import SquallLab
import SquallRaces
import Synchronization

/// A device's network in one life of its app: gives its requests numbers that no other life has.
final class RoomTransport: Transport {
    private let inner: any Transport
    private let offset: UInt32
    private let time: SimulatedTime
    private let isClosed = Atomic<Bool>(false)

    /// How long it takes to find out that there is no network any more.
    private static let closedNanoseconds: Int64 = 1_000_000_000

    init(_ inner: any Transport, offset: UInt32, time: SimulatedTime) {
        self.inner = inner
        self.offset = offset
        self.time = time
    }

    /// Lets everything that is sent from now on fail, so that whoever goes round ends.
    func close() { isClosed.store(true, ordering: .relaxed) }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        guard !isClosed.load(ordering: .relaxed) else {
            try? await time.sleep(nanoseconds: Self.closedNanoseconds)
            throw TransportError(.notConnectedToInternet)
        }
        var cause = cause
        cause.request += offset
        cause.refreshFor = cause.refreshFor.map { $0 + offset }
        return try await inner.send(request, cause: cause)
    }
}
