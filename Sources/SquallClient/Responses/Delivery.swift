import Synchronization

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
    /// Whether a failure of `serialize` asks the retriers once more.
    let consultsRetrier: Bool
    /// Makes something of the answer and keeps it; may be called once for every attempt.
    let serialize: @Sendable (Attempt, Request) -> AFError?
    /// Keeps the attempt whose serializing failed for good.
    let settle: @Sendable (Attempt) -> Void
    /// Passes the kept value on.
    let deliver: @Sendable () -> Void
}
