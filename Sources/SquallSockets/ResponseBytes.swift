public import SquallHTTP

extension [UInt8] {
    /// Appends a response as it travels: its length is that of the body, whatever its fields say.
    mutating func append(
        response status: Int, _ headers: HTTPHeaders, body: Body, isHead: Bool,
        connection: String?
    ) {
        let hasBody = ResponseStart.hasBody(status)
        append(
            ResponseStart(status: status, headers: headers, length: body.count),
            framing: hasBody ? .length(body.count) : nil, connection: connection)
        if hasBody, !isHead { append(body) }
    }

    /// Appends the head of a response; without a framing it has no body, and a length would be
    /// that of another response.
    mutating func append(
        _ start: ResponseStart, framing: BodyReader.Framing?, connection: String?
    ) {
        self += "HTTP/1.1 \(start.status) \(start.phrase)\r\n".utf8
        for field in start.headers where !field.isAboutFraming {
            append(field: field.name, field.value)
        }
        switch framing {
        case .length(let length): append(field: "Content-Length", "\(length)")
        case .chunked: append(field: "Transfer-Encoding", "chunked")
        case .untilEnd, nil: break
        }
        if let connection { append(field: "Connection", connection) }
        self += "\r\n".utf8
    }

    mutating func append(field name: String, _ value: String) {
        append(safe: name)
        self += ": ".utf8
        append(safe: value)
        self += "\r\n".utf8
    }

    /// A control character in a field would let its sender write fields, or a response, of its own.
    mutating func append(safe text: String) {
        let start = count
        self += text.utf8
        for place in start..<count where !self[place].isOfValue { self[place] = 32 }
    }

    mutating func append(_ body: Body) {
        guard let chunks = body.chunks else { return self += body.bytes }
        for chunk in chunks {
            if chunk.parts.isEmpty {
                self += chunk.bytes
            } else {
                for part in chunk.parts { self += part.bytes }
            }
        }
    }
}

extension HTTPHeader {
    /// True for a field that says where the message ends, or whether the connection stays open.
    var isAboutFraming: Bool {
        switch name.utf8.count {
        case 10: has(name: "connection") || has(name: "keep-alive")
        case 14: has(name: "content-length")
        case 17: has(name: "transfer-encoding")
        default: false
        }
    }
}

/// A response without its body, which follows in pieces.
public struct ResponseStart: Sendable {
    var status: Int
    /// The words behind it; `nil` for the usual ones.
    var reason: String?
    /// The fields; those that say where the body ends are the server's own.
    var headers: HTTPHeaders
    /// How long the body is; `nil` where it ends when it ends.
    var length: Int?

    /// A response of its parts.
    public init(status: Int, reason: String? = nil, headers: HTTPHeaders, length: Int?) {
        (self.status, self.reason) = (status, reason)
        (self.headers, self.length) = (headers, length)
    }

    /// The words behind the status.
    var phrase: String {
        reason.map { String(decoding: $0.utf8.filter { $0 >= 32 && $0 != 127 }, as: UTF8.self) }
            ?? HTTPReason.phrase(of: status)
    }

    /// False for the statuses that HTTP defines without a body.
    static func hasBody(_ status: Int) -> Bool { status >= 200 && status != 204 && status != 304 }
}

/// The words behind a status.
enum HTTPReason {
    static func phrase(of status: Int) -> String { phrases[status] ?? "Status" }

    private static let phrases = [
        100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
        304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 413: "Content Too Large", 415: "Unsupported Media Type",
        417: "Expectation Failed", 422: "Unprocessable Content", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]
}
