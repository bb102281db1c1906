public import SquallHTTP

/// A request that has come, whole or with the beginning of its body.
public struct IncomingRequest: Sendable {
    /// The request, at the origin that the reader was given.
    public let request: URLRequest
    /// How long the whole body is, where the client said so.
    public let length: Int?
    /// False where only the beginning of the body is here; the rest comes by
    /// ``SocketServer/takeBody(of:)``.
    public let isWhole: Bool
    /// The client's name for the server; `nil` where HTTP/1.0 does not say.
    public let host: String?
    /// True if the client wants to send another one on its connection.
    let keepsAlive: Bool
    /// True for HTTP/1.0.
    let isOld: Bool
}

/// Reads requests out of a stream of bytes, in pieces of any size; no byte is looked at twice.
struct RequestReader: Sendable {
    private enum Stage {
        case firstLine
        case fields
        case body(BodyReader)
    }

    private let limits: HTTPLimits
    private let origin: String
    private var stage = Stage.firstLine
    private var lines = LineScanner()
    private var head: RequestHead?
    private var body: [UInt8] = []
    /// True as soon as the request was handed over with the beginning of its body.
    private(set) var isHandedOver = false

    /// A reader at the beginning of a connection, for requests to an origin.
    init(_ limits: HTTPLimits, origin: String) {
        (self.limits, self.origin) = (limits, origin)
    }

    /// True while a request has begun and its head is not complete.
    var isInHead: Bool {
        switch stage {
        case .firstLine: lines.scanned > 0
        case .fields: true
        default: false
        }
    }

    /// True as soon as a request's body has begun.
    var isInBody: Bool {
        switch stage {
        case .firstLine, .fields: false
        default: true
        }
    }

    /// The bytes that are kept of a body that is not whole.
    var bodyBytes: Int { body.count }

    /// Keeps nothing of a request that is refused.
    mutating func forget() { body = [] }

    /// True while the client waits for leave to send the body, of which nothing has come.
    var awaitsContinue: Bool {
        guard head?.expectsContinue == true, case .body(let reader) = stage else { return false }
        return reader.isUntouched(lines)
    }

    /// Takes bytes from a position on, up to the end of the next request.
    ///
    /// What lies behind `used` must be given again, with more behind it.
    ///
    /// - Returns: the next request; `nil` when it is not complete.
    /// - Throws: the request's problem, after which nothing can be read from this connection.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, used: inout Int
    ) throws(RequestProblem) -> IncomingRequest? {
        guard !isHandedOver else { return nil }
        while true {
            switch stage {
            case .firstLine:
                guard let line = try lines.line(in: bytes, &used, upTo: limits.headBytes) else {
                    return nil
                }
                // An empty line before a request is left over from the one before.
                if line.isEmpty { continue }
                head = try RequestHead(UnsafeRawBufferPointer(rebasing: bytes[line]))
                stage = .fields
            case .fields:
                guard let line = try lines.line(in: bytes, &used, upTo: limits.headBytes) else {
                    return nil
                }
                if line.isEmpty {
                    if let request = try endHead() { return request }
                } else {
                    try add(UnsafeRawBufferPointer(rebasing: bytes[line]))
                }
            case .body(var reader):
                let step = try reader.step(bytes, &used, &lines)
                stage = .body(reader)
                switch step {
                case .piece(let place):
                    body.append(contentsOf: bytes[place])
                    if body.count >= limits.wholeBytes { return beginning() }
                case .needsMore: return nil
                case .whole: return whole()
                }
            }
        }
    }

    /// Takes more of the body of a request that was handed over with its beginning.
    ///
    /// - Returns: The part that has come, and true with the last one.
    /// - Throws: what is wrong with it.
    mutating func readBody(
        _ bytes: UnsafeRawBufferPointer, used: inout Int
    ) throws(RequestProblem) -> (bytes: [UInt8], isEnd: Bool) {
        var taken: [UInt8] = []
        while case .body(var reader) = stage {
            let step = try reader.step(bytes, &used, &lines)
            stage = .body(reader)
            switch step {
            case .piece(let place): taken += bytes[place]
            case .needsMore: return (taken, false)
            case .whole:
                begin()
                return (taken, true)
            }
        }
        return (taken, true)
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) throws(RequestProblem) {
        guard line[0] != 32, line[0] != 9 else { throw .malformed("a header field is folded") }
        guard head?.fields.count ?? 0 < limits.fields else {
            throw RequestProblem(431, "there are more than \(limits.fields) header fields")
        }
        try head?.add(line)
    }

    private mutating func endHead() throws(RequestProblem) -> IncomingRequest? {
        guard let head else { return nil }
        try head.check(limits)
        lines.reset()
        guard let framing = head.framing else { return whole() }
        // What is only announced takes no memory.
        if case .length(let length) = framing { body.reserveCapacity(min(length, 1 << 16)) }
        stage = .body(
            BodyReader(framing, trailerBytes: limits.headBytes, bodyBytes: limits.bodyBytes))
        return nil
    }

    /// The next byte is the first one of another request.
    private mutating func begin() {
        (head, body, stage, isHandedOver) = (nil, [], .firstLine, false)
        lines.reset()
    }

    private mutating func whole() -> IncomingRequest? {
        defer { begin() }
        return head.map { incoming($0, isWhole: true) }
    }

    /// The request with as much of its body as is here.
    private mutating func beginning() -> IncomingRequest? {
        isHandedOver = true
        defer { body = [] }
        return head.map { incoming($0, isWhole: false) }
    }

    private func incoming(_ head: RequestHead, isWhole: Bool) -> IncomingRequest {
        var headers = HTTPHeaders()
        for field in head.fields { headers.append(field) }
        return IncomingRequest(
            request: URLRequest(
                url: WebURL(origin: origin, path: head.path, query: head.query),
                method: head.method, headers: headers, body: Body(body)),
            length: head.isChunked ? nil : head.length ?? 0, isWhole: isWhole, host: head.host,
            keepsAlive: head.keepsAlive, isOld: head.isOld)
    }
}
