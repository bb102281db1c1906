public import SquallHTTP

/// The head of a response, as it came.
public struct ResponseHead: Hashable, Sendable {
    /// The status.
    public let status: Int
    /// The server's words behind the status.
    public let reason: String
    /// The fields in their order, also those that are there several times.
    public let headers: HTTPHeaders
    /// How long the body is, where the head says so; for `HEAD`, what `GET` would bring.
    public let length: Int?
    /// True if the connection is good for another request.
    let keepsAlive: Bool
    /// The time for which it is, where the server says so.
    let keepAliveSeconds: Int?
}

/// A request of a ``SocketClient`` that got no response, or none that is whole.
public struct ResponseProblem: Error, Hashable, Sendable {
    /// The kinds of problems.
    public enum Kind: Hashable, Sendable {
        /// No connection could be made.
        case unreachable
        /// The server's certificate does not prove that it is the one that was called.
        case untrusted
        /// No connection could be made, because this process or system may open no more files.
        case outOfFiles
        /// The connection ended before the response did.
        case broken
        /// The server was silent for too long.
        case timedOut
        /// What came is no HTTP.
        case malformed
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The problem in a sentence without a full stop.
    public let text: String
}

/// Reads the response to one request out of a stream of bytes, in pieces of any size.
struct ResponseReader {
    /// The meaning of the next bytes.
    enum Part: Equatable {
        /// A status below 200: another head follows.
        case interim(ResponseHead)
        case head(ResponseHead)
        /// So much of the body, by its place.
        case body(Range<Int>)
        case end
    }

    private enum Stage {
        case firstLine
        case fields
        case body(BodyReader)
        case ended
    }

    private let headBytes: Int
    private let isHead: Bool
    private let known: KnownHeads
    private var stage = Stage.firstLine
    private var lines = LineScanner(allowsBareFeed: true)
    private var (status, reason, isOld) = (0, "", false)
    private var fields = HTTPHeaders()

    private static let fieldsMax = 500

    /// A reader of the response to a request; `isHead` where that was `HEAD`.
    ///
    /// Those who share the known heads have the same limit.
    init(headBytes: Int, isHead: Bool, known: KnownHeads = KnownHeads()) {
        (self.headBytes, self.isHead, self.known) = (headBytes, isHead, known)
    }

    /// True as soon as the final head has come.
    var hasHead: Bool {
        switch stage {
        case .firstLine, .fields: false
        case .body, .ended: true
        }
    }

    /// Takes bytes from a position on; `nil` when more are needed.
    ///
    /// What lies behind `used` must be given again, with more behind it.
    mutating func read(
        _ bytes: UnsafeRawBufferPointer, used: inout Int
    ) throws(ResponseProblem) -> Part? {
        do throws(RequestProblem) { return try part(bytes, &used) } catch {
            throw ResponseProblem(kind: .malformed, text: "the response is no HTTP: \(error.text)")
        }
    }

    /// Ends the body with the connection, where a body may end so.
    ///
    /// - Throws: where it may not.
    func checkEnd() throws(ResponseProblem) {
        if case .body(let reader) = stage, reader.endsWithConnection { return }
        let text = hasHead ? "in the middle of the response" : "before the response"
        throw ResponseProblem(kind: .broken, text: "the connection ended \(text)")
    }

    private mutating func part(
        _ bytes: UnsafeRawBufferPointer, _ used: inout Int
    ) throws(RequestProblem) -> Part? {
        // Where the head begins, if it does in these bytes.
        var begin: Int?
        while true {
            switch stage {
            case .firstLine:
                if lines.scanned == 0 {
                    if let head = takeKnown(bytes, &used) { return .head(head) }
                    begin = used
                }
                guard let line = try lines.line(in: bytes, &used, upTo: headBytes) else {
                    return nil
                }
                if line.isEmpty { continue }
                try readStatus(UnsafeRawBufferPointer(rebasing: bytes[line]))
                stage = .fields
            case .fields:
                guard let line = try lines.line(in: bytes, &used, upTo: headBytes) else {
                    return nil
                }
                if line.isEmpty {
                    return try endHead(begin.map { .init(rebasing: bytes[$0..<used]) })
                }
                try add(UnsafeRawBufferPointer(rebasing: bytes[line]))
            case .body(var reader):
                let step = try reader.step(bytes, &used, &lines)
                stage = .body(reader)
                switch step {
                case .piece(let place): return .body(place)
                case .needsMore: return nil
                case .whole:
                    stage = .ended
                    return .end
                }
            case .ended: return nil
            }
        }
    }

    /// Reads `HTTP/1.1 200 OK`.
    private mutating func readStatus(_ line: UnsafeRawBufferPointer) throws(RequestProblem) {
        guard line.count >= 12, line[..<7].elementsEqual("HTTP/1.".utf8), line[7] | 1 == 49,
            line[8] == 32, line.count == 12 || line[12] == 32, line[9] > 48,
            line[9..<12].allSatisfy(\.isDigit)
        else { throw .malformed("the first line is not HTTP/1.1 and a status") }
        isOld = line[7] == 48
        status = line[9..<12].reduce(0) { $0 * 10 + Int($1 - 48) }
        reason = String(decoding: line.dropFirst(13), as: UTF8.self)
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) throws(RequestProblem) {
        guard fields.count < Self.fieldsMax else {
            throw .malformed("there are more than \(Self.fieldsMax) header fields")
        }
        guard line[0].isBlank else { return fields.append(try HTTPHeader(line: line)) }
        // A client must understand a folded field, and a proxy must not pass it on.
        guard let last = fields.last else { throw .malformed("the first field is folded") }
        let (rest, others) = (String(decoding: line.drop(while: \.isBlank), as: UTF8.self), fields)
        fields = []
        for field in others.dropLast() { fields.append(field) }
        fields.append(name: last.name, value: last.value + " " + rest)
    }

    /// Takes a head that is known; what `HEAD` brings has another end.
    private mutating func takeKnown(
        _ bytes: UnsafeRawBufferPointer, _ used: inout Int
    ) -> ResponseHead? {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
        guard !isHead, let known = known.head(of: rest) else { return nil }
        lines.reset()
        used += known.count
        stage = .body(body(known.framing))
        return known.head
    }

    private func body(_ framing: BodyReader.Framing) -> BodyReader {
        BodyReader(framing, trailerBytes: headBytes, bodyBytes: .max)
    }

    /// The head is complete, and known from now on where its bytes are here; says where the body
    /// ends.
    private mutating func endHead(_ bytes: UnsafeRawBufferPointer?) throws(RequestProblem) -> Part {
        lines.reset()
        guard status != 101 else { throw .malformed("the server changes the protocol") }
        let (keepsAlive, seconds, length, isChunked) = try readFraming()
        let headers = fields
        fields = []
        let hasBody = !isHead && ResponseStart.hasBody(status)
        let framing: BodyReader.Framing =
            !hasBody ? .length(0) : isChunked ? .chunked : length.map { .length($0) } ?? .untilEnd
        let head = ResponseHead(
            status: status, reason: reason, headers: headers, length: length,
            keepsAlive: keepsAlive && framing != .untilEnd,
            keepAliveSeconds: seconds)
        guard status >= 200 else {
            stage = .firstLine
            return .interim(head)
        }
        if let bytes, !isHead { known.add(bytes, head, framing) }
        stage = .body(body(framing))
        return .head(head)
    }

    /// What the fields say of the connection and of the body's end.
    private func readFraming() throws(RequestProblem) -> (
        keepsAlive: Bool, seconds: Int?, length: Int?, isChunked: Bool
    ) {
        var (keepsAlive, seconds, isChunked) = (!isOld, Int?.none, false)
        var length: Int?
        for field in fields {
            switch field.name.utf8.count {
            case 10 where field.has(name: "connection"):
                keepsAlive = HTTPHeader.keepsAlive(field.value, isOld: isOld) ?? keepsAlive
            case 10 where field.has(name: "keep-alive"):
                seconds = seconds ?? Self.seconds(field.value)
            case 14 where field.has(name: "content-length"):
                let number = try HTTPHeader.length(field.value)
                // Several fields may say the same.
                guard length == nil || length == number else {
                    throw .malformed("there are two lengths")
                }
                length = number
            case 17 where field.has(name: "transfer-encoding"):
                guard field.value.asciiLowercased == "chunked", !isChunked else {
                    throw .malformed("the transfer coding is not chunked")
                }
                isChunked = true
            default: break
            }
        }
        guard !isChunked || length == nil else { throw .malformed("there are a length and chunks") }
        return (keepsAlive, seconds, length, isChunked)
    }

    /// `5` in `timeout=5, max=100`.
    private static func seconds(_ value: String) -> Int? {
        value.asciiLowercased.split { $0 == "," || $0 == " " }
            .first { $0.hasPrefix("timeout=") }.flatMap { Int($0.dropFirst(8)) }
    }
}
