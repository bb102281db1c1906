import SquallClient
import SquallHTTP
import Synchronization

/// Answers from a closure, without a network, and remembers what it was sent.
final class FakeTransport: Transport {
    typealias Handler =
        @Sendable (URLRequest, RequestCause) async throws(TransportError) -> Reply

    /// An answer's parts.
    struct Reply: Sendable {
        var status = 200
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        var body = Body("{}")

        static let ok = Reply()

        static func status(_ status: Int, _ body: String = "{}") -> Reply {
            Reply(status: status, body: Body(body))
        }
    }

    private let handler: Handler
    /// True to carry requests that no task waits for.
    private let isUntasked: Bool
    private let seen = Mutex<[(request: URLRequest, cause: RequestCause)]>([])

    init(isUntasked: Bool, _ handler: @escaping Handler) {
        (self.isUntasked, self.handler) = (isUntasked, handler)
    }

    convenience init(_ handler: @escaping Handler = { _, _ in .ok }) {
        self.init(isUntasked: false, handler)
    }

    /// Answers the n-th attempt of anybody with the n-th reply, and later ones with the last.
    convenience init(_ replies: Reply...) {
        self.init(results: replies.map(Result.success))
    }

    convenience init(results: [Result<Reply, TransportError>]) {
        let count = Atomic<Int>(0)
        self.init { _, _ throws(TransportError) in
            let index = count.add(1, ordering: .relaxed).oldValue
            return try results[min(index, results.count - 1)].get()
        }
    }

    var untasked: (any UntaskedTransport)? { isUntasked ? UntaskedFake(transport: self) : nil }
    var requests: [URLRequest] { seen.withLock { $0.map(\.request) } }
    var causes: [RequestCause] { seen.withLock { $0.map(\.cause) } }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        seen.withLock { $0.append((request, cause)) }
        let reply = try await handler(request, cause)
        return TransportResponse(
            head: HTTPURLResponse(
                url: request.url, statusCode: reply.status, headers: reply.headers),
            body: reply.body)
    }
}

/// The same for requests that no task waits for: it has tasks of its own.
private struct UntaskedFake: UntaskedTransport {
    let transport: FakeTransport

    func soon(_ begin: @escaping @Sendable () -> Void) { Task { begin() } }

    func send(
        _ request: URLRequest, cause: RequestCause,
        telling told: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        Task {
            do throws(TransportError) {
                told(.success(try await transport.send(request, cause: cause)))
            } catch {
                told(.failure(error))
            }
        }
    }
}

/// A clock whose sleeps take no time and are written down.
final class ImpatientTime: TimeSource {
    private let state = Mutex<(now: Int64, sleeps: [Int64])>((1_700_000_000_000_000_000, []))

    var nanosecondsSinceEpoch: Int64 { state.withLock { $0.now } }
    /// What was slept, in seconds.
    var sleeps: [Double] { state.withLock { $0.sleeps.map { Double($0) / 1e9 } } }

    func sleep(nanoseconds: Int64) async throws(CancellationError) {
        state.withLock { state in
            state.now += nanoseconds
            state.sleeps.append(nanoseconds)
        }
        if Task.isCancelled { throw CancellationError() }
    }
}

/// Randomness that is a hash of what it is asked for.
struct HashedRandomness: RandomSource {
    var seed: UInt64 = 1

    func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64 {
        var word = seed &+ user &* 31 &+ ordinal &* 0x9E37_79B9_7F4A_7C15
        for byte in "\(purpose)".utf8 { word = (word ^ UInt64(byte)) &* 0x100_0000_01B3 }
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
