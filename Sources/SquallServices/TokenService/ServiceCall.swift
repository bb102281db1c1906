import SquallBackend
import SquallHTTP
public import SquallKernel

/// A request, as it is given to a route's closure.
public struct ServiceCall: Sendable {
    let request: URLRequest
    /// The path's variables, in order.
    public let variables: [String]
    /// The user that its token belongs to; `nil` without a good one.
    public let user: Int?
    /// The present moment of virtual time, from the beginning of the world.
    public let now: Instant
    /// Issues, judges and ends tokens.
    public let mint: ServiceMint

    /// The verb, as it is sent.
    public var method: String { request.method.rawValue }
    /// The path, percent-encoded.
    public var path: String { request.url.path }
    /// The body as it was sent.
    public var body: [UInt8] { request.body.bytes }

    /// The address that it was sent to: scheme, host and port.
    public var origin: String { request.url.origin }

    /// A member of the body, of JSON or of a form; `nil` when it is not there or no text.
    public func field(_ name: String) -> String? { TokenPlace.body(name).token(in: request) }

    /// The value of a header field, whatever the case of its name.
    public func header(_ name: String) -> String? { request.value(forHTTPHeaderField: name) }

    /// The value of a name in the address, decoded; `nil` when it is not there.
    public func query(_ name: String) -> String? {
        FormFields.value(of: name, in: Array((request.url.query ?? "").utf8))
    }
}

/// The response that a route's closure returns.
public struct ServiceReply: Sendable {
    /// The HTTP status code, 100 to 599.
    public var status: Int
    /// The header fields, in order.
    public var headers: [(name: String, value: String)]
    /// The body, in one piece.
    public var body: [UInt8]
    /// The pieces of the body, where it comes in pieces: the gap before each, and its bytes.
    public var pieces: [(gap: Duration, bytes: [UInt8])] = []
    /// A body of chunks that many responses share, in place of `body`, and the page that it is.
    var shared: (body: Body, page: ListPage?)?

    /// A response of its parts.
    public init(
        status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A response with a body in JSON.
    public init(status: Int = 200, json: String) {
        self.init(
            status: status, headers: [("Content-Type", "application/json; charset=utf-8")],
            body: Array(json.utf8))
    }

    /// Sends the client to another address.
    public static func redirect(to address: String, status: Int = 302) -> ServiceReply {
        ServiceReply(status: status, headers: [("Location", address)])
    }

    /// A response whose body comes piece by piece, as from a server that streams.
    public static func stream(
        _ pieces: [String], every gap: Duration, type: String = "text/event-stream"
    ) -> ServiceReply {
        var reply = ServiceReply(
            headers: [("Content-Type", type)], body: pieces.flatMap { Array($0.utf8) })
        reply.pieces = pieces.map { (gap, Array($0.utf8)) }
        return reply
    }
}
