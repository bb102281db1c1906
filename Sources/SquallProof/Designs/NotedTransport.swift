import SquallBackend
import SquallClient
import SquallHTTP
import SquallLab
import Synchronization

/// A transport that records requests, and makes some of them fail.
final class NotedTransport: Transport {
    /// One request on the wire.
    struct Send {
        let endpoint: Endpoint
        let cause: RequestCause
        /// Its index among all requests.
        let number: Int
        let sentAt: Int64
        var answeredAt: Int64?

        var isRefresh: Bool { endpoint.role == .refresh }
        /// Whether the app's screens wait for it; pictures have connections of their own.
        var isOfScreens: Bool { cause.pool == 0 }
    }

    /// How a request fails.
    enum Failure: Sendable {
        /// The server gives this answer, and does nothing.
        case answer(Answer)
        /// The server performs the request, but its answer is empty.
        case undecodable
        /// The server performs the request, but its answer comes three seconds later.
        case late
        /// The request never arrives.
        case lost
        /// The server performs the request, but its answer never arrives.
        case answerLost

        /// The server answers with a status and a message, and does nothing.
        static func status(_ status: Int) -> Failure {
            .answer(Answer(status: status, headers: [:], body: Body(#"{"message":"no"}"#)))
        }
    }

    private struct Rule {
        let failure: Failure
        let isOnce: Bool
        let isMeant: @Sendable (Send) -> Bool
    }

    private struct State {
        var sends: [Send] = []
        var rules: [Rule] = []
        var isClosed = false
    }

    private let network: any Transport
    private let time: any TimeSource
    private let endpoint: @Sendable (URLRequest) -> Endpoint
    private let state = Mutex(State())

    /// A transport before a backend's network.
    init(_ backend: Backend, _ time: any TimeSource) {
        network = backend.transport
        self.time = time
        endpoint = { backend.endpoint(of: $0) }
    }

    /// All requests, in the order of sending.
    var sends: [Send] { state.withLock { $0.sends } }

    /// Fails the next matching request, or every one.
    func fail(
        _ failure: Failure, once isOnce: Bool = true,
        where isMeant: @escaping @Sendable (Send) -> Bool
    ) {
        let rule = Rule(failure: failure, isOnce: isOnce, isMeant: isMeant)
        state.withLock { $0.rules.append(rule) }
    }

    /// Loses every request from now on, or stops doing so.
    func close(_ isClosed: Bool = true) { state.withLock { $0.isClosed = isClosed } }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let (number, failure) = try note(endpoint(request), cause)
        defer { state.withLock { $0.sends[number].answeredAt = time.nanosecondsSinceEpoch } }
        switch failure {
        case nil: return try await network.send(request, cause: cause)
        case .lost:
            await pause()
            throw TransportError(.networkConnectionLost)
        case .answerLost:
            _ = try await network.send(request, cause: cause)
            throw TransportError(.networkConnectionLost)
        case .late:
            let answer = try await network.send(request, cause: cause)
            await pause(3_000_000_000)
            return answer
        case .undecodable:
            let answer = try await network.send(request, cause: cause)
            return TransportResponse(head: answer.head, body: Body("{}"))
        case .answer(let answer):
            await pause()
            let head = HTTPURLResponse(
                url: request.url, statusCode: answer.status, headers: answer.headers)
            return TransportResponse(head: head, body: answer.body)
        }
    }

    private func note(
        _ endpoint: Endpoint, _ cause: RequestCause
    ) throws(TransportError) -> (number: Int, failure: Failure?) {
        let noted = state.withLock { state -> (Int, Failure?)? in
            guard !state.isClosed else { return nil }
            let send = Send(
                endpoint: endpoint, cause: cause, number: state.sends.count,
                sentAt: time.nanosecondsSinceEpoch)
            state.sends.append(send)
            guard let place = state.rules.firstIndex(where: { $0.isMeant(send) }) else {
                return (send.number, nil)
            }
            let rule = state.rules[place]
            if rule.isOnce { state.rules.remove(at: place) }
            return (send.number, rule.failure)
        }
        guard let noted else { throw TransportError(.networkConnectionLost) }
        return noted
    }

    /// Waits, by default for as long as an answer takes.
    private func pause(_ nanoseconds: Int64 = 45_000_000) async {
        try? await time.sleep(nanoseconds: nanoseconds)
    }
}
