public import HTTP

/// A request together with what its answer is to become.
///
/// Generic over the value and inlinable, so that the caller's copy knows the value's type: without
/// that, looking types up at run time took a tenth of every request. The pipeline itself is not
/// generic.
public struct DataTask<Value: Sendable>: Sendable {
    @usableFromInline let request: Request
    @usableFromInline let serializer: ResponseSerializer<Value>

    @inlinable
    init(request: Request, serializer: ResponseSerializer<Value>) {
        self.request = request
        self.serializer = serializer
    }

    /// Sends the request, again if its retriers say so, and waits for the outcome.
    ///
    /// Waiting for a request that has already ended gives its outcome once more.
    @inlinable public var response: DataResponse<Value> {
        get async {
            var value: Value?
            let attempt = await request.perform(consultsRetrier: serializer.consultsRetrier) {
                switch serializer.serialize($0) {
                case .success(let serialized):
                    value = serialized
                    return nil
                case .failure(let error): return error
                }
            }
            if let attempt { return DataResponse(attempt: attempt, value: value) }
            return await joined()
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

    /// Cancels the request.
    public func cancel() { request.cancel() }

    /// Waits for a request that somebody else drives.
    @usableFromInline
    func joined() async -> DataResponse<Value> {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                request.attach(serializer) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            request.cancel()
        }
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

    init(
        request: URLRequest?, response: HTTPURLResponse?, data: Body?,
        result: Result<Value, AFError>
    ) {
        self.request = request
        self.response = response
        self.data = data
        self.result = result
    }

    /// The value, if there is one.
    public var value: Value? { try? result.get() }
    /// The error, if there is one.
    public var error: AFError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }

    /// The response with another value in the place of this one.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> DataResponse<Other> {
        DataResponse<Other>(
            request: request, response: response, data: data, result: result.map(transform))
    }

    /// The response with another value, or with an error when there is none to be had.
    public func tryMap<Other: Sendable>(
        _ transform: (Value) throws -> Other
    ) -> DataResponse<Other> {
        let mapped = result.flatMap { value -> Result<Other, AFError> in
            do { return .success(try transform(value)) } catch {
                return .failure(
                    error.asAFError {
                        .responseSerializationFailed(reason: .customSerializationFailed(error: $0))
                    })
            }
        }
        return DataResponse<Other>(
            request: request, response: response, data: data, result: mapped)
    }

    /// The response with another error in the place of this one.
    public func mapError(_ transform: (AFError) -> AFError) -> DataResponse {
        DataResponse(
            request: request, response: response, data: data, result: result.mapError(transform))
    }
}

/// Alamofire's name for the response of a data request.
public typealias AFDataResponse<Value: Sendable> = DataResponse<Value>
