public import HTTP

/// What one send of a request came to.
@usableFromInline
struct Attempt: Sendable {
    @usableFromInline var request: URLRequest?
    @usableFromInline var response: HTTPURLResponse?
    @usableFromInline var body: Body?
    @usableFromInline var error: AFError?

    /// The body; an error when there was one before, or when there is no body.
    @usableFromInline var nonemptyBody: Result<Body, AFError> {
        if let error { return .failure(error) }
        guard let body, !body.isEmpty else {
            return .failure(.responseSerializationFailed(reason: .inputDataNilOrZeroLength))
        }
        return .success(body)
    }
}
