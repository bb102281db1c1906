public import SquallHTTP

/// The result of one attempt of a request.
///
/// An object, because it is handed on several times for each request.
@usableFromInline
final class Attempt: Sendable {
    @usableFromInline let request: URLRequest?
    /// The last response that any attempt of the request got.
    private let answer: TransportResponse?
    /// True if `answer` is this attempt's own, so that its body is, too.
    private let isAnswered: Bool
    @usableFromInline let error: AFError?
    /// True as soon as this attempt or an earlier one reached the transport.
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

    /// Asks the enum directly: `error != nil` copies the error, for each attempt of each request.
    @usableFromInline var hasFailed: Bool { if case .some = error { true } else { false } }
    @usableFromInline var response: HTTPURLResponse? { answer?.head }
    @usableFromInline var body: Body? { isAnswered ? answer?.body : nil }

    var wasSent: Bool { isAnswered }
    /// True for a response of its own with a body.
    var hasBytes: Bool { isAnswered && answer.map { !$0.body.isEmpty } ?? false }

    /// Tells the error; as most attempts have none, none is copied for them.
    @inline(__always)
    func tellError(_ tell: (AFError?) -> Void) {
        if hasFailed { tell(error) } else { tell(nil) }
    }

    /// A copy whose error replaces the attempt's own, as a failed serializer's does.
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
