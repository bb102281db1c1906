import SquallBackend
import SquallClient
import SquallHTTP
import SquallLab
import Synchronization

/// A transport that notes what passes, and that can be told to fail at some of it.
final class NotedTransport: Transport {
    /// One request on the wire.
    struct Send {
        let endpoint: Endpoint
        let cause: RequestCause

        /// Whether the app's screens wait for it: pictures have connections of their own.
        var isOfScreens: Bool { cause.pool == 0 }
    }

    /// What becomes of a request that is told to fail.
    enum Failure: Hashable, Sendable {
        /// The server answers so, and does nothing.
        case status(Int)
        /// It never arrives.
        case lost
        /// It does what it is for, and its answer never arrives.
        case answerLost
    }

    private struct State {
        var sends: [Send] = []
        var failures: [(isMeant: @Sendable (Endpoint) -> Bool, failure: Failure)] = []
        var isClosed = false
    }

    private let network: any Transport
    private let time: any TimeSource
    private let endpoint: @Sendable (URLRequest) -> Endpoint
    private let state = Mutex(State())

    /// A transport before the network of a room.
    init(_ parts: PhoneRoom.Parts) {
        let backend = parts.backend
        network = backend.transport
        time = parts.time
        endpoint = { backend.endpoint(of: $0) }
    }

    /// Everything that passed, in the order in which it was sent.
    var sends: [Send] { state.withLock { $0.sends } }

    /// Fails the next request that is meant.
    func failNext(_ failure: Failure, where isMeant: @escaping @Sendable (Endpoint) -> Bool) {
        state.withLock { $0.failures.append((isMeant, failure)) }
    }

    /// Loses every request from now on, or no longer does.
    func close(_ isClosed: Bool = true) { state.withLock { $0.isClosed = isClosed } }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let endpoint = endpoint(request)
        let (isClosed, failure) = state.withLock { state -> (Bool, Failure?) in
            guard !state.isClosed else { return (true, nil) }
            state.sends.append(Send(endpoint: endpoint, cause: cause))
            guard let next = state.failures.firstIndex(where: { $0.isMeant(endpoint) }) else {
                return (false, nil)
            }
            return (false, state.failures.remove(at: next).failure)
        }
        guard !isClosed else { throw TransportError(.networkConnectionLost) }
        switch failure {
        case nil: return try await network.send(request, cause: cause)
        case .lost:
            await pause()
            throw TransportError(.networkConnectionLost)
        case .answerLost:
            _ = try await network.send(request, cause: cause)
            throw TransportError(.networkConnectionLost)
        case .status(let status):
            await pause()
            let head = HTTPURLResponse(url: request.url, statusCode: status)
            return TransportResponse(head: head, body: Body(#"{"message":"no"}"#))
        }
    }

    /// As long as an answer takes.
    private func pause() async { try? await time.sleep(nanoseconds: 45_000_000) }
}
