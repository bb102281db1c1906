public import SquallHTTP

/// A request as a ``SocketClient`` sends it.
public struct OutgoingRequest: Sendable {
    /// The source of a request's body.
    public enum Upload: Sendable {
        /// It is here already; empty where there is none.
        case whole(Body)
        /// It comes in pieces, by ``ClientExchange/send(_:)`` and ``ClientExchange/finish()``; in
        /// chunks, where the length is not known.
        case pieces(length: Int?)
    }

    /// The verb.
    public var method: HTTPMethod
    /// The path and the query as they are sent, with everything percent-encoded.
    public var target: String
    /// The fields in their order.
    ///
    /// `Host` is added where it lacks; those that say where the body ends, or that are about the
    /// connection, are the client's own and dropped.
    public var headers: HTTPHeaders
    /// The body.
    public var upload: Upload

    /// A request of its parts.
    public init(
        method: HTTPMethod = .get, target: String, headers: HTTPHeaders = [],
        upload: Upload = .whole(.empty)
    ) {
        (self.method, self.target, self.headers) = (method, target, headers)
        self.upload = upload
    }

    /// A request for the path and the query of an address, whatever its origin.
    public init(_ request: URLRequest) {
        let query = request.url.query.map { "?" + $0 } ?? ""
        self.init(
            method: request.method, target: request.url.path + query, headers: request.headers,
            upload: .whole(request.body))
    }

    /// True for one that changes nothing: it may be sent again where nothing came back.
    var isRepeatable: Bool {
        guard case .whole = upload else { return false }
        return [.get, .head, .options, .trace].contains(method)
    }

    var isChunked: Bool {
        if case .pieces(length: nil) = upload { true } else { false }
    }

    /// Its bytes, without a body that comes in pieces.
    func append(to bytes: inout [UInt8], authority: String) {
        bytes += method.rawValue.utf8
        bytes.append(32)
        bytes += target.utf8
        bytes += " HTTP/1.1\r\n".utf8
        if !headers.contains(where: { $0.has(name: "host") }) {
            bytes.append(field: "Host", authority)
        }
        for field in headers where !field.isAboutFraming {
            bytes.append(field: field.name, field.value)
        }
        switch upload {
        case .whole(let body):
            // Without a body, the length tells that to those who would expect one.
            if !body.isEmpty || [.post, .put, .patch].contains(method) {
                bytes.append(field: "Content-Length", "\(body.count)")
            }
            bytes += "\r\n".utf8
            bytes.append(body)
        case .pieces(let length):
            if let length {
                bytes.append(field: "Content-Length", "\(length)")
            } else {
                bytes.append(field: "Transfer-Encoding", "chunked")
            }
            bytes += "\r\n".utf8
        }
    }
}

/// A happening to a request of a ``SocketClient``; ``ended`` or ``failed(_:)`` comes last.
public enum ResponseEvent {
    /// A status below 200, before the response.
    case interim(ResponseHead)
    /// The head of the response.
    case head(ResponseHead)
    /// A piece of its body; good only until the call returns.
    case body(UnsafeRawBufferPointer)
    /// All that was given of the request's body is sent; the next piece is welcome.
    case wantsBody
    /// The response is whole.
    case ended
    /// There will be no response, or none that is whole.
    case failed(ResponseProblem)
}

/// The limits of a ``SocketClient``, in number and time.
public struct ClientLimits: Hashable, Sendable {
    /// How long a response's head may be.
    var headBytes = 256 << 10
    /// How long connecting may take, to each address.
    public var connectNanoseconds: Int64 = 10_000_000_000
    /// How long the server may take to begin its response.
    public var responseNanoseconds: Int64 = 120_000_000_000
    /// How long a body may make no progress, either way.
    public var idleNanoseconds: Int64 = 60_000_000_000
    /// How long all of a response may take from the request on, whatever comes of it.
    public var totalNanoseconds: Int64 = .max
    /// How long an unused connection is kept; less where the server says so.
    var keepNanoseconds: Int64 = 30_000_000_000

    /// The usual limits.
    public init() {}
}
