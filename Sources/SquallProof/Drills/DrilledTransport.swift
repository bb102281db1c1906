import SquallBackend
import SquallClient
import SquallHTTP
import SquallLab
import Synchronization

/// A transport that notes what passes, answers refreshes as a drill wants them, and can be closed.
final class DrilledTransport: Transport {
    /// One request on the wire.
    struct Send {
        let isRefresh: Bool
        let sentAt: Int64
        var answeredAt: Int64?
    }

    private struct State {
        var sends: [Send] = []
        var calls = 0
        var isClosed = false
    }

    private let network: any Transport
    private let time: any TimeSource
    private let drill: Drill
    private let isRefresh: @Sendable (URLRequest) -> Bool
    /// What a refresh is answered that is refused.
    private let refusal: Answer?
    private let state = Mutex(State())

    init(
        _ network: any Transport, time: any TimeSource, drill: Drill,
        refusal: Answer?, isRefresh: @escaping @Sendable (URLRequest) -> Bool
    ) {
        self.refusal = refusal
        self.isRefresh = isRefresh
        self.network = network
        self.time = time
        self.drill = drill
    }

    /// Everything that passed, in the order in which it was sent.
    var sends: [Send] { state.withLock { $0.sends } }

    /// Loses every connection from now on, so that whatever goes round comes to an end.
    func close() { state.withLock { $0.isClosed = true } }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        let isRefresh = isRefresh(request)
        let number = try note(isRefresh: isRefresh)
        defer { state.withLock { $0.sends[number].answeredAt = time.nanosecondsSinceEpoch } }
        if isRefresh { return try await refresh(request, cause) }
        if drill.losesCalls {
            await pause(45_000_000)
            throw TransportError(.networkConnectionLost)
        }
        let answer = try await network.send(request, cause: cause)
        if drill.lastAnswerIsLate, number == drill.calls - 1 { await pause(3_000_000_000) }
        return answer
    }

    private func note(isRefresh: Bool) throws(TransportError) -> Int {
        let number: Int? = state.withLock { state in
            guard !state.isClosed else { return nil }
            state.sends.append(Send(isRefresh: isRefresh, sentAt: time.nanosecondsSinceEpoch))
            return state.sends.count - 1
        }
        guard let number else { throw TransportError(.networkConnectionLost) }
        return number
    }

    private func refresh(
        _ request: URLRequest, _ cause: RequestCause
    ) async throws(TransportError) -> TransportResponse {
        switch drill.refresh {
        case .genuine: return try await network.send(request, cause: cause)
        case .refused(let trouble):
            return await answer(request, refusal ?? Answer(status: trouble.usualStatus))
        case .undecodable:
            let genuine = try await network.send(request, cause: cause)
            return TransportResponse(head: genuine.head, body: Body("{}"))
        case .connectionLost:
            await pause(45_000_000)
            throw TransportError(.networkConnectionLost)
        }
    }

    private func answer(
        _ request: URLRequest, _ answer: Answer
    ) async -> TransportResponse {
        await pause(45_000_000)
        let head = HTTPURLResponse(
            url: request.url, statusCode: answer.status, headers: answer.headers)
        return TransportResponse(head: head, body: answer.body)
    }

    private func pause(_ nanoseconds: Int64) async {
        try? await time.sleep(nanoseconds: nanoseconds)
    }
}
