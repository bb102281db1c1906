import SquallBackend
import SquallClient
import SquallHTTP
import SquallLab
import Synchronization

/// A device's network in one life of its app: tells the tap what is sent and what comes back.
final class RoomTransport: Transport {
    private let inner: any Transport
    private let tap: RoomRecorder
    private let offset: UInt32
    private let time: SimulatedTime
    private let isClosed = Atomic<Bool>(false)
    private let endpoint: @Sendable (URLRequest) -> Endpoint

    /// How long it takes to find out that there is no network any more.
    private static let closedNanoseconds: Int64 = 1_000_000_000

    init(
        _ inner: any Transport, tap: RoomRecorder, offset: UInt32, time: SimulatedTime,
        endpoint: @escaping @Sendable (URLRequest) -> Endpoint
    ) {
        self.inner = inner
        self.tap = tap
        self.offset = offset
        self.time = time
        self.endpoint = endpoint
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
        tap.tap.sent(request, cause, to: endpoint(request))
        let answer = try await inner.send(request, cause: cause)
        tap.tap.received(answer.body, cause)
        return answer
    }
}
