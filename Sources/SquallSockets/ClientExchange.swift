/// A request of a ``SocketClient`` that is under way.
public final class ClientExchange {
    let request: OutgoingRequest
    let target: HTTPTarget
    let lane: SocketClient.Lane
    unowned let client: SocketClient
    private var told: ((ResponseEvent) -> Void)?
    weak var connection: ClientConnection?
    /// Pieces of the body that came before the connection.
    private var early: [UInt8] = []
    /// True as soon as everything of the request was given.
    private(set) var isComplete: Bool
    private(set) var isPaused = false
    var wasSentAgain = false

    init(
        _ request: OutgoingRequest, to target: HTTPTarget, user: UInt64, in client: SocketClient,
        told: @escaping (ResponseEvent) -> Void
    ) {
        (self.request, self.target, self.client, self.told) = (request, target, client, told)
        lane = SocketClient.Lane(target: ObjectIdentifier(target), user: user)
        isComplete = if case .whole = request.upload { true } else { false }
    }

    /// True as soon as it has ended: nothing more is told.
    public var hasEnded: Bool { told == nil }

    /// The number of bytes of the request that wait to be sent.
    public var backlog: Int { early.count + (connection?.backlog ?? 0) }

    /// Sends the next piece of the request's body; ``ResponseEvent/wantsBody`` comes when a
    /// backlog is sent.
    ///
    /// - Precondition: not after ``finish()``, and not more than was announced.
    public func send(_ piece: UnsafeRawBufferPointer) {
        guard !hasEnded, !piece.isEmpty else { return }
        precondition(!isComplete, "a piece of a body behind its end")
        if request.isChunked { give(Array("\(String(piece.count, radix: 16))\r\n".utf8)) }
        give(piece)
        if request.isChunked { give(Array("\r\n".utf8)) }
        connection?.flush()
    }

    /// Sends the next piece of the request's body.
    public func send(_ piece: [UInt8]) { piece.withUnsafeBytes { send($0) } }

    /// The request's body is whole.
    public func finish() {
        guard !hasEnded, !isComplete else { return }
        isComplete = true
        if request.isChunked { give(Array("0\r\n\r\n".utf8)) }
        connection?.flush()
    }

    private func give(_ bytes: some Sequence<UInt8>) {
        if let connection, connection.isOpen { connection.give(bytes) } else { early += bytes }
    }

    /// Lets the rest of the response wait with the server.
    public func pause() { isPaused = true }

    /// Takes the response again, from the next turn on.
    public func resume() {
        guard isPaused else { return }
        isPaused = false
        if let connection { client.goOn(connection) }
    }

    /// Gives it up, and its connection with it; nothing more is told.
    public func cancel() {
        guard !hasEnded else { return }
        told = nil
        client.cancel(self)
    }

    /// The pieces that were given before there was a connection.
    func takeEarly() -> [UInt8] {
        defer { early = [] }
        return early
    }

    func tell(_ event: ResponseEvent) { told?(event) }

    func end(_ event: ResponseEvent) {
        let told = told
        self.told = nil
        connection = nil
        told?(event)
    }
}

extension SocketClient {
    /// Sends a request whose response is wanted whole, with a body of at most so many bytes.
    @discardableResult
    public func exchange(
        _ request: OutgoingRequest, to target: HTTPTarget, user: UInt64 = 0, at now: Int64,
        bodyBytesMax: Int = 64 << 20,
        told: @escaping (Result<(head: ResponseHead, body: [UInt8]), ResponseProblem>) -> Void
    ) -> ClientExchange {
        var (head, body): (ResponseHead?, [UInt8]) = (nil, [])
        weak var exchange: ClientExchange?
        let begun = begin(request, to: target, user: user, at: now) { event in
            switch event {
            case .interim, .wantsBody: break
            case .head(let came): head = came
            case .body(let piece):
                body += piece
                guard body.count > bodyBytesMax else { return }
                exchange?.cancel()
                let text = "the body is longer than \(bodyBytesMax) bytes"
                told(.failure(ResponseProblem(kind: .malformed, text: text)))
            case .ended: if let head { told(.success((head, body))) }
            case .failed(let problem): told(.failure(problem))
            }
        }
        exchange = begun
        return begun
    }
}
