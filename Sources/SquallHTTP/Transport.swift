/// Carries a request to a server and its response back: the seam between a client and any network.
///
/// **Start here** to read this module: the other files define what travels through it.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole response.
    ///
    /// Everything after a request's adapters happens here: waiting for a connection, latency, loss.
    /// Any status is a response; only the lack of one is an error.
    ///
    /// - Throws: `TransportError` when no response came, `.cancelled` when the task was cancelled.
    nonisolated(nonsending)
        func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse

    /// Carries requests that no task waits for; `nil`, as by default, where each needs a task.
    var untasked: (any UntaskedTransport)? { get }
}

extension Transport {
    /// None: a task waits for each response.
    public var untasked: (any UntaskedTransport)? { nil }
}

/// A network that tells when a request is over, so that no task has to wait for that.
///
/// A task takes a tenth of what a whole request takes, and more memory than all else of it. All
/// that it calls it calls one after the other.
public protocol UntaskedTransport: Sendable {
    /// Calls a function in the turn in which a task would begin that starts now.
    func soon(_ begin: @escaping @Sendable () -> Void)

    /// Sends a request, and tells its outcome once, in the turn in which a task that waited for it
    /// would go on.
    func send(
        _ request: URLRequest, cause: RequestCause,
        telling told: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void)
}

/// A response as it came off the wire: one reference, as it is handed on ten times.
public struct TransportResponse: Sendable {
    @usableFromInline let parts: HTTPURLResponse.Parts

    /// Status and headers.
    @inlinable public var head: HTTPURLResponse { HTTPURLResponse(parts: parts) }
    /// The body; empty when there is none.
    @inlinable public var body: Body { parts.body }
    /// What was asked.
    @inlinable public var request: URLRequest { parts.request }

    /// A response from its head and body.
    public init(head: HTTPURLResponse, body: Body) {
        self.init(
            to: head.parts.request, statusCode: head.statusCode, headers: head.headers, body: body)
    }

    /// The response to a request.
    public init(to request: URLRequest, statusCode: Int, headers: HTTPHeaders, body: Body) {
        parts = HTTPURLResponse.Parts(
            request: request, statusCode: statusCode, headers: headers, body: body)
    }
}

extension TransportResponse: Hashable {
    /// Equal in every part.
    public static func == (left: TransportResponse, right: TransportResponse) -> Bool {
        left.parts === right.parts || left.head == right.head && left.body == right.body
    }

    /// Feeds the head.
    public func hash(into hasher: inout Hasher) { hasher.combine(head) }
}
