/// A request together with the value that its answer becomes.
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

    /// The value.
    ///
    /// - Throws: `AFError` when there is none.
    @inlinable public var value: Value {
        get async throws { try await response.result.get() }
    }

    /// Cancels the request.
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
