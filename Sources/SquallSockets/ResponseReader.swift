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
    private var stage = Stage.firstLine
    private var lines = LineScanner(allowsBareFeed: true)
    private var (status, reason, isOld) = (0, "", false)
    private var fields: [HTTPHeader] = []

    private static let fieldsMax = 500

    /// A reader of the response to a request; `isHead` where that was `HEAD`.
    init(headBytes: Int, isHead: Bool) { (self.headBytes, self.isHead) = (headBytes, isHead) }

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
        while true {
            switch stage {
            case .firstLine:
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
                if line.isEmpty { return try endHead() }
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
        let words = line.split(
            separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
        let version = String(decoding: words[0], as: UTF8.self)
        guard words.count >= 2, ["HTTP/1.1", "HTTP/1.0"].contains(version),
            words[1].count == 3, words[1].allSatisfy(\.isDigit),
            let number = Int(String(decoding: words[1], as: UTF8.self)), number >= 100
        else { throw .malformed("the first line is not HTTP/1.1 and a status") }
        isOld = version == "HTTP/1.0"
        status = number
        reason = words.count > 2 ? String(decoding: words[2], as: UTF8.self) : ""
    }

    private mutating func add(_ line: UnsafeRawBufferPointer) throws(RequestProblem) {
        guard fields.count < Self.fieldsMax else {
            throw .malformed("there are more than \(Self.fieldsMax) header fields")
        }
        guard line[0].isBlank else { return fields.append(try HTTPHeader(line: line)) }
        // A client must understand a folded field, and a proxy must not pass it on.
        guard let last = fields.popLast() else { throw .malformed("the first field is folded") }
        let rest = String(decoding: line.drop(while: \.isBlank), as: UTF8.self)
        fields.append(HTTPHeader(name: last.name, value: last.value + " " + rest))
    }

    /// The head is complete; says where the body ends.
    private mutating func endHead() throws(RequestProblem) -> Part {
        lines.reset()
        guard status != 101 else { throw .malformed("the server changes the protocol") }
        var keepsAlive = !isOld
        for field in fields where field.has(name: "connection") {
            keepsAlive = HTTPHeader.keepsAlive(field.value, isOld: isOld) ?? keepsAlive
        }
        let length = try length()
        let isChunked = try isChunked(length)
        var headers = HTTPHeaders()
        for field in fields { headers.append(field) }
        fields = []
        let hasBody = !isHead && status >= 200 && status != 204 && status != 304
        let framing: BodyReader.Framing =
            !hasBody ? .length(0) : isChunked ? .chunked : length.map { .length($0) } ?? .untilEnd
        let head = ResponseHead(
            status: status, reason: reason, headers: headers, length: length,
            keepsAlive: keepsAlive && framing != .untilEnd,
            keepAliveSeconds: headers.value(for: "Keep-Alive").flatMap(Self.seconds))
        guard status >= 200 else {
            stage = .firstLine
            return .interim(head)
        }
        stage = .body(BodyReader(framing, trailerBytes: headBytes, bodyBytes: .max))
        return .head(head)
    }

    /// The length; several fields may say the same.
    private func length() throws(RequestProblem) -> Int? {
        var length: Int?
        for field in fields where field.name.utf8.count == 14 && field.has(name: "content-length") {
            let number = try HTTPHeader.length(field.value)
            guard length == nil || length == number else {
                throw .malformed("there are two lengths")
            }
            length = number
        }
        return length
    }

    private func isChunked(_ length: Int?) throws(RequestProblem) -> Bool {
        var isChunked = false
        for field in fields
        where field.name.utf8.count == 17 && field.has(name: "transfer-encoding") {
            guard field.value.asciiLowercased == "chunked", !isChunked else {
                throw .malformed("the transfer coding is not chunked")
            }
            isChunked = true
        }
        guard !isChunked || length == nil else { throw .malformed("there are a length and chunks") }
        return isChunked
    }

    /// `5` in `timeout=5, max=100`.
    private static func seconds(_ value: String) -> Int? {
        value.asciiLowercased.split { $0 == "," || $0 == " " }
            .first { $0.hasPrefix("timeout=") }.flatMap { Int($0.dropFirst(8)) }
    }
}
