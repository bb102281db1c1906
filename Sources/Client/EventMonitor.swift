public import HTTP

/// Is told what happens to requests, at once and in order.
public protocol EventMonitor: Sendable {
    /// An attempt goes to the transport.
    func request(_ request: Request, willSend urlRequest: URLRequest, cause: RequestCause)
    /// An attempt has its answer, or will never have one.
    func request(
        _ request: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause: RequestCause)
    /// The request is about to be attempted again, for the `retryCount`-th time.
    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error)
    /// The request has ended.
    func requestDidFinish(_ request: Request, error: AFError?)
    /// An interceptor let go of a completion without calling it: the request will never end.
    func request(_ request: Request, didLose completion: LostCompletion)
    /// An interceptor called a completion once more; the call is ignored.
    func request(_ request: Request, didCallAgain completion: LostCompletion)
}

extension EventMonitor {
    /// Ignores the event.
    public func request(_: Request, willSend _: URLRequest, cause _: RequestCause) {}
    /// Ignores the event.
    public func request(
        _: Request, didReceive _: Result<TransportResponse, TransportError>, cause _: RequestCause
    ) {}
    /// Ignores the event.
    public func request(_: Request, isRetrying _: Int, after _: any Error) {}
    /// Ignores the event.
    public func requestDidFinish(_: Request, error _: AFError?) {}
    /// Ignores the event.
    public func request(_: Request, didLose _: LostCompletion) {}
    /// Ignores the event.
    public func request(_: Request, didCallAgain _: LostCompletion) {}
}

/// Which completion of which interceptor went wrong.
public struct LostCompletion: Hashable, Sendable {
    /// The two places where an interceptor is handed a completion.
    public enum Place: String, Sendable {
        /// While a request was being adapted.
        case adapt
        /// While a retry was being decided.
        case retry
    }

    /// Where.
    public let place: Place
    /// The interceptor's type.
    public let interceptor: String
}
