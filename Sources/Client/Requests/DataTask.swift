public import HTTP

/// A request together with what its answer is to become.
///
/// Generic over the value and inlinable, so that the caller's copy knows the value's type: without
/// that, looking types up at run time took a tenth of every request. The pipeline itself is not
/// generic.
public struct DataTask<Value: Sendable>: Sendable {
    @usableFromInline let request: DataRequest
    @usableFromInline let serializer: ResponseSerializer<Value>

    @inlinable
    init(request: DataRequest, serializer: ResponseSerializer<Value>) {
        self.request = request
        self.serializer = serializer
    }

    /// Sends the request, again if its retriers say so, and waits for the outcome.
    @inlinable public var response: DataResponse<Value> {
        get async {
            var value: Value?
            let attempt = await request.perform(consultsAgain: serializer.consultsRetrier) {
                switch serializer.serialize($0) {
                case .success(let serialized):
                    value = serialized
                    return nil
                case .failure(let error): return error
                }
            }
            return DataResponse(attempt: attempt, value: value)
        }
    }

    /// The outcome alone.
    @inlinable public var result: Result<Value, AFError> {
        get async { await response.result }
    }

    /// The value.
    ///
    /// - Throws: `AFError` when there is none.
    @inlinable public var value: Value {
        get async throws { try await response.result.get() }
    }
}

/// The outcome of a request with what it came from.
public struct DataResponse<Value: Sendable>: Sendable {
    /// The request as it was last sent.
    public let request: URLRequest?
    /// The head of the last answer.
    public let response: HTTPURLResponse?
    /// The body of the last answer.
    public let data: Body?
    /// The value, or why there is none.
    public let result: Result<Value, AFError>

    @inlinable
    init(attempt: Attempt, value: Value?) {
        request = attempt.request
        response = attempt.response
        data = attempt.body
        if let error = attempt.error {
            result = .failure(error)
        } else if let value {
            result = .success(value)
        } else {
            result = .failure(.responseSerializationFailed(reason: .inputDataNilOrZeroLength))
        }
    }

    /// The value, if there is one.
    public var value: Value? { try? result.get() }
    /// The error, if there is one.
    public var error: AFError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}

/// Turns an answer into a value.
@usableFromInline
struct ResponseSerializer<Value: Sendable>: Sendable {
    /// Whether a failure here asks the retrier once more.
    @usableFromInline let consultsRetrier: Bool
    @usableFromInline let serialize: @Sendable (Attempt) -> Result<Value, AFError>

    @inlinable
    init(
        consultsRetrier: Bool, serialize: @escaping @Sendable (Attempt) -> Result<Value, AFError>
    ) {
        self.consultsRetrier = consultsRetrier
        self.serialize = serialize
    }
}

extension ResponseSerializer where Value: Decodable {
    @inlinable
    static func decodable(by decoder: any DataDecoder) -> ResponseSerializer {
        ResponseSerializer(consultsRetrier: true) { attempt in
            switch attempt.nonemptyBody {
            case .failure(let error): return .failure(error)
            case .success(let body):
                do { return .success(try decoder.decode(Value.self, from: body)) } catch {
                    return .failure(
                        .responseSerializationFailed(reason: .decodingFailed(error: error)))
                }
            }
        }
    }
}

extension ResponseSerializer<Body> {
    static let data = ResponseSerializer(consultsRetrier: true) { $0.nonemptyBody }
}

extension ResponseSerializer<Body?> {
    static let raw = ResponseSerializer(consultsRetrier: false) { attempt in
        attempt.error.map(Result.failure) ?? .success(attempt.body)
    }
}
