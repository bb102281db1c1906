public import SquallHTTP

/// Is told what happens to requests, at once and in order.
///
/// The calls are Alamofire's, on the level of requests; what it tells of creating, resuming and
/// cancelling a URL session's task is one call here, `willSend`.
public protocol EventMonitor: Sendable {
    /// Whether it is told of every stage of an attempt that goes well; yes unless said otherwise.
    ///
    /// The stages are resuming, building, adapting, validating and serializing, eight calls for a
    /// request. Whoever only counts what is sent and how it ends need not be told of them.
    var hearsStages: Bool { get }

    /// Somebody waits for the request now.
    func requestDidResume(_ request: Request)
    /// The convertible has built the request.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// The convertible failed, or built something that may not be sent.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// All adapters have had their turn; not called when there are none.
    func request(
        _ request: Request, didAdaptInitialRequest initial: URLRequest, to adapted: URLRequest)
    /// An adapter failed, or made something that may not be sent.
    func request(
        _ request: Request, didFailToAdaptURLRequest initial: URLRequest, withError error: AFError)
    /// The request is ready to be sent.
    func request(_ request: Request, didCreateURLRequest urlRequest: URLRequest)
    /// The bytes of an upload are ready.
    func request(_ request: Request, didCreateUploadable body: Body)
    /// The bytes of an upload could not be made.
    func request(_ request: Request, didFailToCreateUploadableWithError error: AFError)
    /// An attempt goes to the transport.
    func request(_ request: Request, willSend urlRequest: URLRequest, cause: RequestCause)
    /// An attempt has its answer, or will never have one.
    func request(
        _ request: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause: RequestCause)
    /// An answer pointed elsewhere, and the attempt goes on there.
    func request(
        _ request: Request, didRedirectTo urlRequest: URLRequest, after response: HTTPURLResponse)
    /// A validator has looked at the answer.
    func request(
        _ request: Request, didValidateResponse response: HTTPURLResponse,
        withResult result: Result<Void, AFError>)
    /// An attempt is over, before anybody is asked whether there is to be another.
    func request(_ request: Request, didCompleteAttemptWithError error: AFError?)
    /// The request is about to be attempted again, for the `retryCount`-th time.
    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error)
    /// The last attempt is over, unless a serializer's failure leads to one more.
    func requestDidFinish(_ request: Request)
    /// A serializer has had its turn.
    func request(_ request: Request, didParseResponseWithError error: AFError?)
    /// The request has ended and whoever waited for it is told.
    func requestDidFinish(_ request: Request, error: AFError?)
    /// Somebody cancelled the request.
    func requestDidCancel(_ request: Request)
    /// Something the request waits for can never happen: the request will never end.
    func request(_ request: Request, didLose completion: LostCompletion)
    /// An interceptor called a completion once more; the call is ignored.
    func request(_ request: Request, didCallAgain completion: LostCompletion)
    /// A retry was asked of a budget, which had one left or not.
    func request(_ request: Request, didAskBudget isGranted: Bool)
}

extension EventMonitor {
    /// Yes.
    public var hearsStages: Bool { true }

    /// Ignores the event.
    public func requestDidResume(_: Request) {}
    /// Ignores the event.
    public func request(_: Request, didCreateInitialURLRequest _: URLRequest) {}
    /// Ignores the event.
    public func request(_: Request, didFailToCreateURLRequestWithError _: AFError) {}
    /// Ignores the event.
    public func request(_: Request, didAdaptInitialRequest _: URLRequest, to _: URLRequest) {}
    /// Ignores the event.
    public func request(_: Request, didFailToAdaptURLRequest _: URLRequest, withError _: AFError) {}
    /// Ignores the event.
    public func request(_: Request, didCreateURLRequest _: URLRequest) {}
    /// Ignores the event.
    public func request(_: Request, didCreateUploadable _: Body) {}
    /// Ignores the event.
    public func request(_: Request, didFailToCreateUploadableWithError _: AFError) {}
    /// Ignores the event.
    public func request(_: Request, willSend _: URLRequest, cause _: RequestCause) {}
    /// Ignores the event.
    public func request(
        _: Request, didReceive _: Result<TransportResponse, TransportError>, cause _: RequestCause
    ) {}
    /// Ignores the event.
    public func request(
        _: Request, didRedirectTo _: URLRequest, after _: HTTPURLResponse
    ) {}
    /// Ignores the event.
    public func request(
        _: Request, didValidateResponse _: HTTPURLResponse, withResult _: Result<Void, AFError>
    ) {}
    /// Ignores the event.
    public func request(_: Request, didCompleteAttemptWithError _: AFError?) {}
    /// Ignores the event.
    public func request(_: Request, isRetrying _: Int, after _: any Error) {}
    /// Ignores the event.
    public func requestDidFinish(_: Request) {}
    /// Ignores the event.
    public func request(_: Request, didParseResponseWithError _: AFError?) {}
    /// Ignores the event.
    public func requestDidFinish(_: Request, error _: AFError?) {}
    /// Ignores the event.
    public func requestDidCancel(_: Request) {}
    /// Ignores the event.
    public func request(_: Request, didLose _: LostCompletion) {}
    /// Ignores the event.
    public func request(_: Request, didCallAgain _: LostCompletion) {}
    /// Ignores the event.
    public func request(_: Request, didAskBudget _: Bool) {}
}
