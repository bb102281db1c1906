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

    init(request: URLRequest?, answer: TransportResponse?, error: AFError? = nil) {
        self.request = request
        response = answer?.head
        body = answer?.body
        self.error = error
    }

    private init(_ attempt: Attempt, error: AFError) {
        request = attempt.request
        response = attempt.response
        body = attempt.body
        self.error = error
    }

    /// The same attempt with another error.
    func failed(with error: AFError) -> Attempt { Attempt(self, error: error) }
}
