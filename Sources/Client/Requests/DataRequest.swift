public import HTTP

/// A request whose answer is kept in memory.
public final class DataRequest: Request, @unchecked Sendable {
    // Safe because it adds nothing that changes.

    /// Accepts answers with these statuses only.
    ///
    /// Without a validator every status is a success, and no retrier is asked about it.
    @discardableResult
    public func validate(statusCode accepted: ClosedRange<Int>) -> Self {
        withState { $0.validators.append(.statusCodes(accepted)) }
        return self
    }

    /// Accepts answers with a status of 200…299 only.
    @discardableResult
    public func validate() -> Self { validate(statusCode: 200...299) }

    /// Accepts answers that a check of the program's own accepts.
    @discardableResult
    public func validate(
        _ check: @escaping @Sendable (URLRequest?, HTTPURLResponse, Body) -> Result<Void, any Error>
    ) -> Self {
        withState { $0.validators.append(.custom(check)) }
        return self
    }

    /// The answer's body decoded as a value.
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type
    ) -> DataTask<Value> {
        DataTask(request: self, serializer: .decodable(by: session.environment.decoder))
    }

    /// The answer's body as it is; any body is a success.
    public func serializingData() -> DataTask<Body> { DataTask(request: self, serializer: .data) }

    /// The answer's body as it is, also when there is none; the retrier is asked once at the most.
    public func serializingResponse() -> DataTask<Body?> {
        DataTask(request: self, serializer: .raw)
    }

    /// Sends the request and hands the decoded answer to a completion.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        completion: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        let task = serializingDecodable(type)
        Task { completion(await task.response) }
        return self
    }
}

/// A request together with what its answer is to become.
public struct DataTask<Value: Sendable>: Sendable {
    let request: DataRequest
    let serializer: ResponseSerializer<Value>

    /// Sends the request, again if its retriers say so, and waits for the outcome.
    public var response: DataResponse<Value> {
        get async { await request.perform(serializer) }
    }

    /// The outcome alone.
    public var result: Result<Value, AFError> {
        get async { await response.result }
    }

    /// The value.
    ///
    /// - Throws: `AFError` when there is none.
    public var value: Value {
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

    /// The value, if there is one.
    public var value: Value? { try? result.get() }
    /// The error, if there is one.
    public var error: AFError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}

/// Turns an answer into a value.
struct ResponseSerializer<Value: Sendable>: Sendable {
    /// Whether a failure here asks the retrier once more.
    let consultsRetrier: Bool
    let serialize: @Sendable (Attempt) -> Result<Value, AFError>
}

extension ResponseSerializer where Value: Decodable {
    static func decodable(by decoder: any DataDecoder) -> ResponseSerializer {
        ResponseSerializer(consultsRetrier: true) { attempt in
            attempt.nonemptyBody.flatMap { body in
                Result { try decoder.decode(Value.self, from: body) }
                    .mapError { .responseSerializationFailed(reason: .decodingFailed(error: $0)) }
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
