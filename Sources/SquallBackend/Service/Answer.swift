public import SquallHTTP

/// What a service answers: a status, headers and a body, and what it took to find them.
public struct Answer: Sendable {
    /// The status.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The body.
    public var body: Body
    /// The page that it is, if it is one of a list.
    public var page: ListPage?

    /// The header of a body in JSON, made once.
    public static let json: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]

    /// An answer of its parts.
    public init(
        status: Int, headers: HTTPHeaders = Answer.json, body: Body = .empty, page: ListPage? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.page = page
    }

    /// How many objects the page of a list holds; `nil` for any other answer.
    public var items: Int? { page?.items.count }

    /// How many rows were scanned to find them.
    public var rowsScanned: Int { page?.rowsScanned ?? 0 }

    /// The same, asking the client to stay away for this many seconds; unchanged for 0.
    public func retryAfter(seconds: Int) -> Answer {
        guard seconds > 0 else { return self }
        var answer = self
        answer.headers.add(name: "Retry-After", value: "\(seconds)")
        return answer
    }
}

/// What an answer means, whatever status or body a service says it with.
public enum AnswerMeaning: Hashable, Sendable {
    /// What was asked for.
    case success
    /// The access token has expired; a refresh may help.
    case expired
    /// The session is over; only signing in helps.
    case signedOut
    /// Any other refusal of the request.
    case refused
    /// The server could not do what was asked.
    case failure
    /// No answer came.
    case none

    /// The meaning by the class of HTTP's status: success below 400, a refusal below 500.
    public init(classOf status: Int) {
        switch status {
        case ..<400: self = .success
        case ..<500: self = .refused
        default: self = .failure
        }
    }
}
