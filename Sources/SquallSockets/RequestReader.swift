public import SquallHTTP

/// A request that has come whole.
public struct IncomingRequest: Sendable {
    /// The request, at the origin that the reader was given.
    public let request: URLRequest
    /// The client's name for the server; `nil` where HTTP/1.0 does not say.
    public let host: String?
    /// Whether the client wants to send another one on its connection.
    public let keepsAlive: Bool
    /// Whether the client speaks HTTP/1.0.
    public let isOld: Bool
}

/// Reads requests out of a stream of bytes, in pieces of any size; no byte is looked at twice.
public struct RequestReader: Sendable {
    /// Where in a request the next byte is.
    private enum Stage {
        case firstLine
        case fields
        case body(left: Int)
        case chunkLine
        case chunk(left: Int)
        case chunkEnd
        case trailers
    }

    private let limits: HTTPLimits
    private let origin: String
    private var stage = Stage.firstLine
    private var head: RequestHead?
    private var body: [UInt8] = []
    /// How much of a line that has not ended was searched.
    private var scanned = 0
    /// How long the lines of the head, or of the trailers, are so far.
    private var lineBytes = 0

    /// A reader at the beginning of a connection, for requests to an origin.
    public init(_ limits: HTTPLimits, origin: String) {
        (self.limits, self.origin) = (limits, origin)
    }

    /// Whether a request has begun whose head is not complete.
    public var isInHead: Bool {
        switch stage {
        case .firstLine: scanned > 0
        case .fields: true
        default: false
        }
    }

    /// Whether a request's body has begun.
    public var isInBody: Bool {
        switch stage {
        case .firstLine, .fields: false
        default: true
        }
    }

    /// Whether its client waits for leave to send the body, of which nothing has come.
    public var awaitsContinue: Bool {
        guard head?.expectsContinue == true, body.isEmpty, scanned == 0 else { return false }
        switch stage {
        case .body, .chunkLine: return true
        default: return false
        }
    }

    /// Takes bytes from a position on, up to the end of the next request.
    ///
    /// What lies behind `used` must be given again, with more behind it.
    ///
    /// - Returns: the next request; `nil` when it is not complete.
    /// - Throws: what is wrong with it; nothing can be read from this connection any more.
    public mutating func read(
        _ bytes: UnsafeRawBufferPointer, used: inout Int
    ) throws(RequestProblem) -> IncomingRequest? {
        while true {
            switch stage {
            case .firstLine:
                guard let line = try line(in: bytes, &used, upTo: limits.headBytes) else {
                    return nil
                }
                // An empty line before a request is left over from the one before.
                if line.isEmpty { continue }
                head = try RequestHead(UnsafeRawBufferPointer(rebasing: bytes[line]))
                stage = .fields
            case .fields:
                guard let line = try line(in: bytes, &used, upTo: limits.headBytes) else {
                    return nil
                }
                if line.isEmpty {
                    if let request = try endHead() { return request }
                } else {
                    try add(UnsafeRawBufferPointer(rebasing: bytes[line]))
                }
            case .body(let left):
                guard take(left, of: bytes, &used) else { return nil }
                return whole()
            case .chunkLine, .chunk, .chunkEnd:
                guard try readChunk(bytes, &used) else { return nil }
            case .trailers:
                guard let line = try line(in: bytes, &used, upTo: limits.headBytes) else {
                    return nil
                }
                if line.isEmpty { return whole() }
                _ = try HTTPHeader(line: UnsafeRawBufferPointer(rebasing: bytes[line]))
            }
        }
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
        lineBytes = 0
        if head.isChunked {
            stage = .chunkLine
        } else if let length = head.length, length > 0 {
            // What is only announced takes no memory.
            body.reserveCapacity(min(length, 1 << 16))
            stage = .body(left: length)
        } else {
            return whole()
        }
        return nil
    }

    /// One step of a body in chunks; `false` when more bytes are needed.
    private mutating func readChunk(
        _ bytes: UnsafeRawBufferPointer, _ used: inout Int
    ) throws(RequestProblem) -> Bool {
        switch stage {
        case .chunkLine:
            guard let line = try line(in: bytes, &used, upTo: limits.chunkLineBytes) else {
                return false
            }
            lineBytes = 0
            let size = try Self.size(UnsafeRawBufferPointer(rebasing: bytes[line]))
            guard size <= limits.bodyBytes - body.count else {
                throw RequestProblem(413, "the body is longer than \(limits.bodyBytes) bytes")
            }
            stage = size == 0 ? .trailers : .chunk(left: size)
            return true
        case .chunk(let left):
            guard take(left, of: bytes, &used) else { return false }
            stage = .chunkEnd
            return true
        default:
            guard let line = try line(in: bytes, &used, upTo: 2) else { return false }
            guard line.isEmpty else { throw .malformed("a chunk is longer than its size") }
            lineBytes = 0
            stage = .chunkLine
            return true
        }
    }

    /// The size in the line before a chunk; what follows a semicolon means nothing here.
    private static func size(_ line: UnsafeRawBufferPointer) throws(RequestProblem) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }.reversed()
            .drop { $0 == 32 || $0 == 9 }.reversed()
        var size = 0
        for byte in digits {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 128 else {
                throw .malformed("the size of a chunk is no hexadecimal number")
            }
            guard size < 1 << 56 else { throw RequestProblem(413, "a chunk is too large") }
            size = size << 4 | digit
        }
        guard (1...16).contains(digits.count) else {
            throw .malformed("the size of a chunk is no hexadecimal number")
        }
        return size
    }

    /// Takes what there is of so many bytes of the body; whether that is all.
    private mutating func take(
        _ left: Int, of bytes: UnsafeRawBufferPointer, _ used: inout Int
    ) -> Bool {
        let count = min(left, bytes.count - used)
        body.append(contentsOf: bytes[used..<used + count])
        used += count
        if case .body = stage {
            stage = .body(left: left - count)
        } else {
            stage = .chunk(left: left - count)
        }
        return count == left
    }

    private mutating func whole() -> IncomingRequest? {
        guard let head else { return nil }
        defer {
            (self.head, body, stage, lineBytes) = (nil, [], .firstLine, 0)
        }
        return IncomingRequest(
            request: URLRequest(
                url: WebURL(origin: origin, path: head.path, query: head.query),
                method: head.method, headers: HTTPHeaders(head.fields), body: Body(body)),
            host: head.host, keepsAlive: head.keepsAlive, isOld: head.isOld)
    }

    /// The next line without its end; `nil` when it has not ended.
    private mutating func line(
        in bytes: UnsafeRawBufferPointer, _ used: inout Int, upTo limit: Int
    ) throws(RequestProblem) -> Range<Int>? {
        let start = used
        var place = start + scanned
        while place < bytes.count {
            let byte = bytes[place]
            let followsReturn = place > start && bytes[place - 1] == 13
            if followsReturn || byte == 10 {
                guard followsReturn, byte == 10 else {
                    throw .malformed("a line does not end in CR and LF")
                }
                (scanned, used) = (0, place + 1)
                lineBytes += used - start
                try checkLines(limit)
                return start..<place - 1
            }
            guard byte != 0 else { throw .malformed("there is a NUL") }
            place += 1
        }
        scanned = place - start
        try checkLines(limit)
        return nil
    }

    private func checkLines(_ limit: Int) throws(RequestProblem) {
        guard lineBytes + scanned > limit else { return }
        guard limit == limits.headBytes else { throw .malformed("the line of a chunk is too long") }
        throw RequestProblem(431, "the head is longer than \(limit) bytes")
    }
}
