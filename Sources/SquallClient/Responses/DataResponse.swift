public import SquallHTTP
import Synchronization

/// The outcome of a request with what it came from.
public struct DataResponse<Value: Sendable>: Sendable {
    @usableFromInline let attempt: Attempt
    /// The value, or why there is none.
    public let result: Result<Value, AFError>

    @inlinable
    init(_ attempt: Attempt, value: Value?) {
        self.attempt = attempt
        if attempt.hasFailed, let error = attempt.error {
            result = .failure(error)
        } else if let value {
            result = .success(value)
        } else {
            result = .failure(.responseSerializationFailed(reason: .inputDataNilOrZeroLength))
        }
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

/// A request together with the value that its response becomes.
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
            let own: Request.OwnSerializer = serializer.consultsRetrier ? .consulting : .silent
            let attempt = await request.drive(own) {
                switch serializer.serialize($0, request) {
                case .success(let serialized):
                    value = serialized
                    return nil
                case .failure(let error): return error
                }
            }
            if let attempt { return DataResponse(attempt, value: value) }
            return await joined()
        }
    }

    /// The outcome alone.
    @inlinable public var result: Result<Value, AFError> {
        get async { await response.result }
    }

    /// Sends the request if need be, and waits for its value.
    ///
    /// - Throws: `AFError` when there is none.
    @inlinable public var value: Value {
        get async throws { try await response.result.get() }
    }

    /// Cancels the request, for all that wait for it.
    public func cancel() { request.cancel() }

    /// Waits for a request that another task drives.
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

/// A completion together with what it will be called with.
private final class Delivery<Value: Sendable>: Sendable {
    private let serializer: ResponseSerializer<Value>
    private let completion: @Sendable (DataResponse<Value>) -> Void
    private let kept = Mutex<DataResponse<Value>?>(nil)

    init(
        _ serializer: ResponseSerializer<Value>,
        _ completion: @escaping @Sendable (DataResponse<Value>) -> Void
    ) {
        self.serializer = serializer
        self.completion = completion
    }

    func serialize(_ attempt: Attempt, of request: Request) -> AFError? {
        switch serializer.serialize(attempt, request) {
        case .success(let value):
            kept.withLock { $0 = DataResponse(attempt, value: value) }
            return nil
        case .failure(let error): return error
        }
    }

    func settle(_ attempt: Attempt) {
        kept.withLock { $0 = DataResponse(attempt, value: nil) }
    }

    func deliver() {
        if let response = kept.withLock({ $0.take() }) { completion(response) }
    }
}

extension Request {
    /// Sends the request if it was not sent yet, and calls a completion with the serialized answer.
    func attach<Value: Sendable>(
        _ serializer: ResponseSerializer<Value>,
        completion: @escaping @Sendable (DataResponse<Value>) -> Void
    ) {
        let delivery = Delivery(serializer, completion)
        attach(
            ResponseHandler(
                consultsRetrier: serializer.consultsRetrier, serialize: delivery.serialize,
                settle: delivery.settle, deliver: delivery.deliver))
    }
}

/// A caller that wants the answer and does not drive the request.
struct ResponseHandler: Sendable {
    /// True if a failure of `serialize` asks the retriers once more.
    let consultsRetrier: Bool
    /// Makes something of the answer and keeps it; may be called once for every attempt.
    let serialize: @Sendable (Attempt, Request) -> AFError?
    /// Keeps the attempt whose serializing failed for good.
    let settle: @Sendable (Attempt) -> Void
    /// Passes the kept value on.
    let deliver: @Sendable () -> Void
}

/// The forms that an answer can be turned into.
extension Request {
    /// The answer's body decoded as a value, by the environment's decoder unless given one.
    @inlinable
    public func serializingDecodable<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, decoder: (any DataDecoder)? = nil,
        rules: BodyRules? = nil
    ) -> DataTask<Value> {
        DataTask(request: self, serializer: .decodable(by: decoder, rules: rules))
    }

    /// The answer's body as it is; any body is a success.
    public func serializingData(rules: BodyRules? = nil) -> DataTask<Body> {
        DataTask(request: self, serializer: .data(rules: rules))
    }

    /// The answer's body as text.
    public func serializingString(
        encoding: TextEncoding? = nil, rules: BodyRules? = nil
    ) -> DataTask<String> {
        DataTask(request: self, serializer: .string(encoding: encoding, rules: rules))
    }

    /// The answer's body as it is, also when there is none; the retriers are asked once at most.
    public func serializingResponse() -> DataTask<Body?> {
        DataTask(request: self, serializer: .raw)
    }

    /// What a serializer of the program's own makes of the answer.
    public func serializingResponse<Value: Sendable>(
        using serializer: ResponseSerializer<Value>
    ) -> DataTask<Value> {
        DataTask(request: self, serializer: serializer)
    }
}

/// The forms with a completion, which send the request in a task of its own.
extension Request {
    /// Hands the decoded answer to a completion.
    @discardableResult
    public func responseDecodable<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self, decoder: (any DataDecoder)? = nil,
        rules: BodyRules? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        response(
            using: .decodable(by: decoder, rules: rules), completionHandler: completionHandler)
    }

    /// Hands the answer's body to a completion; any body is a success.
    @discardableResult
    public func responseData(
        rules: BodyRules? = nil,
        completionHandler: @escaping @Sendable (DataResponse<Body>) -> Void
    ) -> Self {
        response(using: .data(rules: rules), completionHandler: completionHandler)
    }

    /// Hands the answer's body as text to a completion.
    @discardableResult
    public func responseString(
        encoding: TextEncoding? = nil, rules: BodyRules? = nil,
        completionHandler: @escaping @Sendable (DataResponse<String>) -> Void
    ) -> Self {
        response(
            using: .string(encoding: encoding, rules: rules), completionHandler: completionHandler)
    }

    /// Hands the answer as it is to a completion; asks the retriers nothing.
    @discardableResult
    public func response(
        completionHandler: @escaping @Sendable (DataResponse<Body?>) -> Void
    ) -> Self {
        response(using: .raw, completionHandler: completionHandler)
    }

    /// Hands what a serializer makes of the answer to a completion.
    @discardableResult
    public func response<Value: Sendable>(
        using serializer: ResponseSerializer<Value>,
        completionHandler: @escaping @Sendable (DataResponse<Value>) -> Void
    ) -> Self {
        attach(serializer, completion: completionHandler)
        return self
    }
}
