public import SquallHTTP

/// The outcome of a request with what it came from.
public struct DataResponse<Value: Sendable>: Sendable {
    @usableFromInline let attempt: Attempt
    /// The value, or why there is none.
    public let result: Result<Value, AFError>

    @inlinable
    init(_ attempt: Attempt, value: Value?) {
        self.attempt = attempt
        if let error = attempt.error {
            result = .failure(error)
        } else if let value {
            result = .success(value)
        } else {
            result = .failure(.responseSerializationFailed(reason: .inputDataNilOrZeroLength))
        }
    }

    private init(_ attempt: Attempt, result: Result<Value, AFError>) {
        self.attempt = attempt
        self.result = result
    }

    /// The request as it was last sent.
    @inlinable public var request: URLRequest? { attempt.request }
    /// The head of the last answer.
    @inlinable public var response: HTTPURLResponse? { attempt.response }
    /// The body of the last answer.
    @inlinable public var data: Body? { attempt.body }

    /// The value, if there is one.
    @inlinable public var value: Value? {
        if case .success(let value) = result { value } else { nil }
    }
    /// The error, if there is one.
    public var error: AFError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}
