public import SquallHTTP

/// A check of a response before its body is used.
enum Validator: Sendable {
    case statusCodes(ClosedRange<Int>)
    case statuses([Int])
    case contentTypes(@Sendable () -> [String])
    /// The content types in the request's `Accept`.
    case acceptedByRequest
    case custom(@Sendable (URLRequest?, HTTPURLResponse, Body) -> Result<Void, any Error>)

    func error(_ request: URLRequest?, _ answer: TransportResponse) -> AFError? {
        let status = answer.head.statusCode
        switch self {
        case .statusCodes(let accepted):
            return Validator.error(status, isAccepted: accepted.contains(status))
        case .statuses(let accepted):
            return Validator.error(status, isAccepted: accepted.contains(status))
        case .contentTypes(let accepted):
            return answer.head.contentTypeError(accepted(), answer.body)
        case .acceptedByRequest:
            return request?.acceptableContentTypes.flatMap { accepted in
                answer.head.contentTypeError(accepted, answer.body)
            }
        case .custom(let check):
            guard case .failure(let error) = check(request, answer.head, answer.body) else {
                return nil
            }
            return error.asAFError {
                .responseValidationFailed(reason: .customValidationFailed(error: $0))
            }
        }
    }

    private static func error(_ status: Int, isAccepted: Bool) -> AFError? {
        isAccepted
            ? nil
            : .responseValidationFailed(reason: .unacceptableStatusCode(code: status))
    }
}

/// Validators in the order in which they were added; those that most requests begin with need no
/// array, and copying them counts no reference.
struct ValidatorList: Sendable {
    /// The first one, if it is a range of statuses.
    private var statuses: ClosedRange<Int>?
    /// True if the content types of the request's `Accept` are checked next.
    private var heedsAccept = false
    private var others: [Validator] = []

    mutating func append(_ validator: Validator) {
        switch validator {
        case .statusCodes(let range) where statuses == nil && others.isEmpty: statuses = range
        case .acceptedByRequest where statuses != nil && !heedsAccept && others.isEmpty:
            heedsAccept = true
        default: others.append(validator)
        }
    }

    /// A status of 200…299, and then a content type that the request accepts.
    mutating func appendAutomatic() {
        append(.statusCodes(200...299))
        append(.acceptedByRequest)
    }

    /// The first error; tells each validator's result; those behind it are not asked.
    func error(
        of request: URLRequest, _ answer: TransportResponse, tell: (AFError?) -> Void
    ) -> AFError? {
        func ask(_ validator: Validator) -> AFError? {
            let error = validator.error(request, answer)
            tell(error)
            return error
        }
        if let statuses, let error = ask(.statusCodes(statuses)) { return error }
        if heedsAccept, let error = ask(.acceptedByRequest) { return error }
        for other in others {
            if let error = ask(other) { return error }
        }
        return nil
    }
}

extension Request {
    /// Accepts responses with a status of 200…299 and a content type that the request accepts.
    ///
    /// Without a validator every response is a success, and no retrier is asked about it.
    @discardableResult
    public func validate() -> Self {
        withState { $0.validators.appendAutomatic() }
        return self
    }

    /// Accepts responses with these statuses only.
    @discardableResult
    public func validate(statusCode accepted: ClosedRange<Int>) -> Self {
        validate(by: .statusCodes(accepted))
    }

    /// Accepts responses with these statuses only.
    @discardableResult
    public func validate(statusCode accepted: some Sequence<Int>) -> Self {
        validate(by: .statuses(Array(accepted)))
    }

    /// Accepts responses with these content types only, such as `image/*`; asked when one arrives.
    ///
    /// A response without a body has any content type.
    @discardableResult
    public func validate(
        contentType accepted: @autoclosure @escaping @Sendable () -> [String]
    ) -> Self {
        validate(by: .contentTypes(accepted))
    }

    /// Accepts responses that a check of the program's own accepts.
    @discardableResult
    public func validate(
        _ check: @escaping @Sendable (URLRequest?, HTTPURLResponse, Body) -> Result<Void, any Error>
    ) -> Self {
        validate(by: .custom(check))
    }

    private func validate(by validator: Validator) -> Self {
        withState { $0.validators.append(validator) }
        return self
    }
}

extension URLRequest {
    /// The media types of the `Accept` field; `nil` when anything is acceptable.
    var acceptableContentTypes: [String]? {
        headers.value(for: "Accept")?.split(separator: ",").map(String.init)
    }
}

extension HTTPURLResponse {
    func contentTypeError(_ accepted: [String], _ body: Body) -> AFError? {
        guard !body.isEmpty else { return nil }
        let types = accepted.compactMap(MediaType.init)
        guard let name = mimeType, let own = MediaType(name) else {
            guard !types.contains(where: \.isWildcard) else { return nil }
            return .responseValidationFailed(
                reason: .missingContentType(acceptableContentTypes: accepted.sorted()))
        }
        guard !types.contains(where: { $0.accepts(own) }) else { return nil }
        return .responseValidationFailed(
            reason: .unacceptableContentType(
                acceptableContentTypes: accepted.sorted(), responseContentType: name))
    }
}

/// A media type such as `image/*`, as Alamofire reads it.
struct MediaType: Equatable {
    let type: Substring
    let subtype: Substring

    /// Reads what comes before a semicolon; `nil` unless it has two parts.
    init?(_ text: String) {
        let head = text.prefix { $0 != ";" }
        let parts = head.drop(while: \.isWhitespace).split(separator: "/").map { part in
            part.drop(while: \.isWhitespace).prefix { !$0.isWhitespace }
        }
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        (type, subtype) = (parts[0], parts[1])
    }

    var isWildcard: Bool { type == "*" && subtype == "*" }

    /// True if another type is this one, or one of the kind that `*` stands for.
    func accepts(_ other: MediaType) -> Bool {
        (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype)
    }
}
