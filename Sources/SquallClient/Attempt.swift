public import SquallHTTP

/// The result of one attempt of a request.
///
/// One reference, because it is handed on several times for each request: to the response of an
/// attempt that has succeeded, which says all there is to say, or to an object of its own.
@usableFromInline
enum Attempt: Sendable {
    /// The response to what was built, and no error.
    case answered(TransportResponse)
    case other(Other)

    /// What any other attempt consists of.
    @usableFromInline
    final class Other: Sendable {
        @usableFromInline let request: URLRequest?
        /// The last response that any attempt of the request got.
        @usableFromInline let answer: TransportResponse?
        /// True if `answer` is this attempt's own, so that its body is, too.
        @usableFromInline let isAnswered: Bool
        @usableFromInline let error: AFError?
        /// True as soon as this attempt or an earlier one reached the transport.
        let hasTask: Bool

        init(
            request: URLRequest?, answer: TransportResponse?, isAnswered: Bool, error: AFError?,
            hasTask: Bool
        ) {
            self.request = request
            self.answer = answer
            self.isAnswered = isAnswered
            self.error = error
            self.hasTask = hasTask
        }
    }

    /// An attempt that got a response.
    init(request: URLRequest, answer: TransportResponse) {
        // Another one than was built is sent where fields are added or a redirection is followed.
        self =
            answer.request == request
            ? .answered(answer)
            : .other(
                Other(
                    request: request, answer: answer, isAnswered: true, error: nil, hasTask: true))
    }

    /// An attempt that reached the transport and got no response.
    init(request: URLRequest?, error: AFError) {
        self = .other(
            Other(request: request, answer: nil, isAnswered: true, error: error, hasTask: true))
    }

    /// An attempt that failed before the transport: the answer's head stays that of the last one
    /// that reached it.
    init(request: URLRequest?, after earlier: Attempt?, error: AFError) {
        self = .other(
            Other(
                request: request, answer: earlier?.answer, isAnswered: false, error: error,
                hasTask: earlier?.hasTask ?? false))
    }

    /// Asks the enum directly: `error != nil` copies the error, for each attempt of each request.
    @usableFromInline var hasFailed: Bool {
        if case .other(let other) = self, case .some = other.error { true } else { false }
    }
    @usableFromInline var request: URLRequest? {
        switch self {
        case .answered(let answer): answer.request
        case .other(let other): other.request
        }
    }
    @usableFromInline var error: AFError? {
        if case .other(let other) = self { other.error } else { nil }
    }
    @usableFromInline var response: HTTPURLResponse? { answer?.head }
    @usableFromInline var body: Body? { wasSent ? answer?.body : nil }

    private var answer: TransportResponse? {
        switch self {
        case .answered(let answer): answer
        case .other(let other): other.answer
        }
    }
    var hasTask: Bool { if case .other(let other) = self { other.hasTask } else { true } }
    var wasSent: Bool { if case .other(let other) = self { other.isAnswered } else { true } }
    /// True for a response of its own with a body.
    var hasBytes: Bool { wasSent && answer.map { !$0.body.isEmpty } ?? false }

    /// Tells the error; as most attempts have none, none is copied for them.
    @inline(__always)
    func tellError(_ tell: (AFError?) -> Void) {
        if hasFailed { tell(error) } else { tell(nil) }
    }

    /// A copy whose error replaces the attempt's own, as a failed serializer's does.
    func failed(with error: AFError) -> Attempt {
        .other(
            Other(
                request: request, answer: answer, isAnswered: wasSent, error: error,
                hasTask: hasTask))
    }

    /// The part that is kept once the request is to be sent again.
    var remainder: Attempt {
        .other(
            Other(request: nil, answer: answer, isAnswered: false, error: nil, hasTask: hasTask))
    }
}
