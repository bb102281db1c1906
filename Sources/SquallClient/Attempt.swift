public import SquallHTTP

/// The result of one attempt of a request.
///
/// An object, because it is handed on several times for each request.
@usableFromInline
final class Attempt: Sendable {
    @usableFromInline let request: URLRequest?
    /// The last answer.
    private let answer: TransportResponse?
    /// Whether that is this attempt's, so that its body is, too.
    private let isAnswered: Bool
    @usableFromInline let error: AFError?
    /// Whether this attempt or an earlier one reached the transport.
    let hasTask: Bool

    private init(
        request: URLRequest?, answer: TransportResponse?, isAnswered: Bool, error: AFError?,
        hasTask: Bool
    ) {
        self.request = request
        self.answer = answer
        self.isAnswered = isAnswered
        self.error = error
        self.hasTask = hasTask
    }

    /// An attempt that reached the transport, with its answer if it got one.
    convenience init(request: URLRequest?, answer: TransportResponse?, error: AFError? = nil) {
        self.init(request: request, answer: answer, isAnswered: true, error: error, hasTask: true)
    }

    /// An attempt that failed before the transport: the answer's head stays that of the last one
    /// that reached it.
    convenience init(request: URLRequest?, after earlier: Attempt?, error: AFError) {
        self.init(
            request: request, answer: earlier?.answer, isAnswered: false, error: error,
            hasTask: earlier?.hasTask ?? false)
    }

    /// Whether there is an error, without a copy of it.
    var hasFailed: Bool { if case .some = error { true } else { false } }
    @usableFromInline var response: HTTPURLResponse? { answer?.head }
    @usableFromInline var body: Body? { isAnswered ? answer?.body : nil }

    /// Whether it reached the transport.
    var wasSent: Bool { isAnswered }

    /// The same attempt with another error.
    func failed(with error: AFError) -> Attempt {
        Attempt(
            request: request, answer: answer, isAnswered: isAnswered, error: error,
            hasTask: hasTask)
    }

    /// The part that is kept once the request is to be sent again.
    var remainder: Attempt {
        Attempt(request: nil, answer: answer, isAnswered: false, error: nil, hasTask: hasTask)
    }
}
