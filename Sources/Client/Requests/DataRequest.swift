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
    @inlinable
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
    @inlinable
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        completion: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        let task = serializingDecodable(type)
        Task { completion(await task.response) }
        return self
    }
}
