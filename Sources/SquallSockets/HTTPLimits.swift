/// The limits of a client's requests, in size, number and time.
public struct HTTPLimits: Hashable, Sendable {
    /// The number of connections that may be open; another one is answered with 503.
    public var connections = 1_024
    /// The number of requests that may be under way; another one is answered with 503.
    public var pendingRequests = 10_000
    /// How long a request's head may be, its trailers likewise.
    public var headBytes = 32 << 10
    /// How long a request's body may be.
    public var bodyBytes = 32 << 20
    /// A request is handed over when so much of its body is here, and the rest in pieces; by
    /// default never before it is whole.
    public var wholeBytes = Int.max
    /// The bytes of all unfinished requests and unsent responses that may be kept.
    ///
    /// While there are more, a request with a body that still comes is answered with 503. At least
    /// one body always has room.
    public var heldBytes = 128 << 20
    /// How long a connection may rest, and a body or a response make no progress.
    public var idleNanoseconds: Int64 = 75_000_000_000
    /// How long a connection may rest behind a response, where that is another time.
    public var restNanoseconds: Int64?
    /// How many requests a connection carries; the last response says that it closes.
    public var requestsPerConnection = Int.max
    /// How long a head may take from its first byte to its last.
    public var headNanoseconds: Int64 = 10_000_000_000
    /// How long a client is listened to after a response that ends the connection: while it sends
    /// on, up to so much in all.
    let lingerNanoseconds: Int64 = 2_000_000_000
    let lingerNanosecondsMax: Int64 = 30_000_000_000
    let endingLingerNanoseconds: Int64 = 100_000_000
    /// The bytes that may wait unread while a request is under way; the rest stays with its sender.
    let waitingBytes = 64 << 10
    /// The number of header fields that a request may have.
    let fields = 200

    /// The usual limits.
    public init() {}
}

/// A request that breaks the rules or a limit, and the status that says so.
public struct RequestProblem: Error, Hashable, Sendable {
    /// The status of the response.
    let status: Int
    /// What is wrong, in a sentence without a full stop.
    let text: String

    init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

    /// A request that breaks the rules of HTTP/1.1.
    static func malformed(_ text: String) -> RequestProblem { RequestProblem(400, text) }

    /// A body beyond the limit.
    static func tooLong(_ bytes: Int) -> RequestProblem {
        RequestProblem(413, "the body is longer than \(bytes) bytes")
    }
}
