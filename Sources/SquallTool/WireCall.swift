import SquallClient
import SquallHTTP

/// One call of an unmodified client, open until it is known not to be sent again.
///
/// It passes each answer to the client at once. Only the call's record waits, in its retrier.
final class WireCall: AsyncRequestInterceptor, URLRequestConvertible, @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    /// True as soon as a refresh was attributed to it: a second one has another reason.
    var hasLedToRefresh = false
    /// The user action that it belongs to.
    let step: WireStep
    private let client: WireClient
    private var request: URLRequest
    private var record: DataRequest?
    private var waiting: UnsafeContinuation<Result<TransportResponse, TransportError>, Never>?
    private var decision: UnsafeContinuation<RetryResult, Never>?

    init(_ request: URLRequest, of client: WireClient, in step: WireStep) {
        self.request = request
        self.client = client
        self.step = step
    }

    /// Its number in the session.
    var number: UInt32? { record?.number }

    /// A refused call is what a refresh is attributed to.
    var isRefused: Bool { (400...499).contains(record?.response?.statusCode ?? 0) }

    func isSame(as other: URLRequest) -> Bool {
        request.method == other.method && request.url == other.url
    }

    /// Sends the call for the first time; `reason` is the call that caused it.
    func send(
        by session: Session, because reason: UInt32?
    ) async throws(TransportError) -> TransportResponse {
        try await answer {
            let record = RequestCause.retrying(reason) {
                session.request(self, interceptor: self)
            }
            self.record = record
            record.validate(statusCode: 200...399).response { [self] response in
                settle(response.response, response.data, response.error)
                // The record holds its retrier, which is this.
                self.record = nil
            }
        }
    }

    /// Sends it again, as the client's request is now.
    func sendAgain(_ request: URLRequest) async throws(TransportError) -> TransportResponse {
        self.request = request
        return try await answer {
            decision?.resume(returning: .retry)
            decision = nil
        }
    }

    /// Notes that it will not be sent again.
    func giveUp() {
        decision?.resume(returning: .doNotRetry)
        decision = nil
    }

    func asURLRequest() -> URLRequest { request }

    func adapt(_ urlRequest: URLRequest, of request: Request) async -> URLRequest { urlRequest }

    func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        guard client.keeps(self, self.request) else { return .doNotRetry }
        return await withUnsafeContinuation { continuation in
            decision = continuation
            settle(request.response, request.data, request.error)
        }
    }

    private func answer(
        to begin: () -> Void
    ) async throws(TransportError) -> TransportResponse {
        let answer = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                waiting = continuation
                begin()
                if Task.isCancelled { record?.cancel() }
            }
        } onCancel: {
            record?.cancel()
        }
        return try answer.get()
    }

    /// Passes the response to the client, if it still waits.
    private func settle(_ head: HTTPURLResponse?, _ body: Body?, _ error: AFError?) {
        guard let waiting else { return }
        self.waiting = nil
        guard let head else {
            let lost = error?.underlyingError as? TransportError
            return waiting.resume(returning: .failure(lost ?? TransportError(.cancelled)))
        }
        waiting.resume(returning: .success(TransportResponse(head: head, body: body ?? Body([]))))
    }
}
