import SquallBackend
import SquallClient
import SquallHTTP

/// A transport that records requests, and makes some of them fail.
final class ScriptedTransport: Transport, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    /// One request on the wire.
    struct Send {
        let endpoint: Endpoint
        let cause: RequestCause
        /// Its index among all requests.
        let number: Int
        let sentAt: Int64
        var answeredAt: Int64?
        /// The status of its response.
        var status: Int?

        var isRefresh: Bool { endpoint.role == .refresh }
        /// True for a refresh or a sign-in.
        var isRenewal: Bool { endpoint.role != .ordinary }
        /// True if the app's screens wait for it; pictures have connections of their own.
        var isOfScreens: Bool { cause.pool == 0 }
    }

    /// The failure of a request.
    enum Failure: Sendable {
        /// The server gives this response, and does nothing.
        case answer(Answer)
        /// The server responds with this failure, and does nothing.
        case refused(ServiceError)
        /// The server performs the request, but its response is empty.
        case undecodable
        /// The server performs the request, but its response comes three seconds later.
        case late
        /// The request never arrives.
        case lost
        /// The server performs the request, but its response never arrives.
        case answerLost

        /// The server responds with a status and a message, and does nothing.
        static func status(_ status: Int) -> Failure {
            .answer(Answer(status: status, headers: [:], body: Body(#"{"message":"no"}"#)))
        }
    }

    private let network: any Transport
    private let time: any TimeSource
    private let backend: Backend
    /// The service that keeps the app's accounts.
    private let service: any Service
    /// All requests, in the order of sending.
    private(set) var sends: [Send] = []
    /// True as soon as every request is lost.
    var isClosed = false
    private var rules: [(failure: Failure, isOnce: Bool, isMeant: @Sendable (Send) -> Bool)] = []

    /// A transport in front of a backend's network.
    init(_ backend: Backend, _ service: any Service, _ time: any TimeSource) {
        network = backend.transport
        (self.backend, self.service, self.time) = (backend, service, time)
    }

    /// Fails the next matching request, or every one.
    func fail(
        _ failure: Failure, once isOnce: Bool = true,
        where isMeant: @escaping @Sendable (Send) -> Bool
    ) {
        rules.append((failure, isOnce, isMeant))
    }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        guard !isClosed else { throw TransportError(.networkConnectionLost) }
        let number = sends.count
        sends.append(
            Send(
                endpoint: backend.endpoint(of: request), cause: cause, number: number,
                sentAt: time.nanosecondsSinceEpoch))
        defer { sends[number].answeredAt = time.nanosecondsSinceEpoch }
        let response = try await response(to: request, sends[number])
        sends[number].status = response.head.statusCode
        return response
    }

    private func response(to request: URLRequest, _ send: Send) async throws(TransportError)
        -> TransportResponse
    {
        let failure = failure(of: send)
        switch failure {
        case nil: return try await network.send(request, cause: send.cause)
        case .lost:
            await pause()
            throw TransportError(.networkConnectionLost)
        case .answerLost:
            _ = try await network.send(request, cause: send.cause)
            throw TransportError(.networkConnectionLost)
        case .late:
            let answer = try await network.send(request, cause: send.cause)
            await pause(3_000_000_000)
            return answer
        case .undecodable:
            let answer = try await network.send(request, cause: send.cause)
            return TransportResponse(head: answer.head, body: Body("{}"))
        case .answer(let answer): return await refusal(of: request, answer)
        case .refused(let error): return await refusal(of: request, service.answer(to: error))
        }
    }

    private func refusal(of request: URLRequest, _ answer: Answer) async -> TransportResponse {
        await pause()
        let head = HTTPURLResponse(
            url: request.url, statusCode: answer.status, headers: answer.headers)
        return TransportResponse(head: head, body: answer.body)
    }

    /// The status that the app's service has for an error.
    func status(of error: ServiceError) -> Int { service.answer(to: error).status }

    /// The failure of a request, by the first rule that is meant for it.
    private func failure(of send: Send) -> Failure? {
        guard let place = rules.firstIndex(where: { $0.isMeant(send) }) else { return nil }
        let rule = rules[place]
        if rule.isOnce { rules.remove(at: place) }
        return rule.failure
    }

    /// Waits, by default for as long as a response takes.
    private func pause(_ nanoseconds: Int64 = 45_000_000) async {
        try? await time.sleep(nanoseconds: nanoseconds)
    }
}
