public import SquallHTTP

/// What one send of a request came to.
///
/// An object, because it is handed on several times for each request and holds a dozen references.
@usableFromInline
final class Attempt: Sendable {
    @usableFromInline let request: URLRequest?
    @usableFromInline let response: HTTPURLResponse?
    @usableFromInline let body: Body?
    @usableFromInline let error: AFError?
    /// Whether this attempt or an earlier one reached the transport.
    let hasTask: Bool

    private init(
        request: URLRequest?, response: HTTPURLResponse?, body: Body?, error: AFError?,
        hasTask: Bool
    ) {
        self.request = request
        self.response = response
        self.body = body
        self.error = error
        self.hasTask = hasTask
    }

    /// An attempt that reached the transport, with its answer if it got one.
    convenience init(request: URLRequest?, answer: TransportResponse?, error: AFError? = nil) {
        self.init(
            request: request, response: answer?.head, body: answer?.body, error: error,
            hasTask: true)
    }

    /// An attempt that died before the transport: the answer's head stays that of the last one
    /// which got so far.
    convenience init(request: URLRequest?, after earlier: Attempt?, error: AFError) {
        self.init(
            request: request, response: earlier?.response, body: nil, error: error,
            hasTask: earlier?.hasTask ?? false)
    }

    /// The same attempt with another error.
    func failed(with error: AFError) -> Attempt {
        Attempt(request: request, response: response, body: body, error: error, hasTask: hasTask)
    }

    /// What is left of it once the request is to be sent again.
    var remainder: Attempt {
        Attempt(request: nil, response: response, body: nil, error: nil, hasTask: hasTask)
    }
}
