/// Carries a request to a server and its answer back: the seam between a client and any network.
///
/// **Start here** to read this module: the other files are what travels through it.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// Everything that happens to a request once its adapters ran happens in here: waiting for a
    /// connection, latency, loss. Any status is an answer; only the lack of one is an error.
    ///
    /// - Throws: `TransportError` when no answer came, `.cancelled` when the task was cancelled.
    nonisolated(nonsending)
        func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
}

/// An answer as it came off the wire.
public struct TransportResponse: Sendable, Hashable {
    /// Status and headers.
    public let head: HTTPURLResponse
    /// The body; empty when there is none.
    public let body: Body

    /// An answer from its head and body.
    public init(head: HTTPURLResponse, body: Body) {
        self.head = head
        self.body = body
    }
}
