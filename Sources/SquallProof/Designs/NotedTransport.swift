import SquallBackend
import SquallClient
import SquallHTTP
import SquallLab
import Synchronization

/// A transport that notes what passes, and with which some of it fails.
final class NotedTransport: Transport {
    /// One request on the wire.
    struct Send {
        let endpoint: Endpoint
        let cause: RequestCause
        /// Its place among all of them, from 0.
        let number: Int
        let sentAt: Int64
        var answeredAt: Int64?

        var isRefresh: Bool { endpoint.role == .refresh }
        /// Whether the app's screens wait for it: pictures have connections of their own.
        var isOfScreens: Bool { cause.pool == 0 }
    }

    /// What becomes of a request that is to fail.
    enum Failure: Sendable {
        /// The server answers so, and does nothing.
        case answer(Answer)
        /// It does what it is for, and its answer has nothing in it.
        case undecodable
        /// It does what it is for, and its answer comes three seconds later.
        case late
        /// It never arrives.
        case lost
        /// It does what it is for, and its answer never arrives.
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

    /// A transport before the network of a world.
    init(_ parts: PhoneWorld.Parts) {
        let backend = parts.backend
        network = backend.transport
        time = parts.time
        endpoint = { backend.endpoint(of: $0) }
    }

    /// Everything that passed, in the order in which it was sent.
    var sends: [Send] { state.withLock { $0.sends } }

    /// Fails the next request that is meant, or each of them.
    func fail(
        _ failure: Failure, once isOnce: Bool = true,
        where isMeant: @escaping @Sendable (Send) -> Bool
    ) {
        let rule = Rule(failure: failure, isOnce: isOnce, isMeant: isMeant)
        state.withLock { $0.rules.append(rule) }
    }

    /// Loses every request from now on, or no longer does.
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

    /// As long as an answer takes, unless told.
    private func pause(_ nanoseconds: Int64 = 45_000_000) async {
        try? await time.sleep(nanoseconds: nanoseconds)
    }
}
