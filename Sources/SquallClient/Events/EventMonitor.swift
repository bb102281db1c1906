public import SquallHTTP

/// Is told what happens to requests, at once and in order.
///
/// The calls are Alamofire's, for requests; creating, resuming and cancelling a URL session's task
/// is one call here, `willSend`. An object, since each request tells it several times: a structure
/// would be copied each time.
public protocol EventMonitor: AnyObject, Sendable {
    /// False for a monitor that is not told of every stage of a successful attempt; true by
    /// default.
    ///
    /// The stages are resuming, building, adapting, validating and serializing, eight calls for a
    /// request. A monitor that only counts attempts and outcomes need not be told of them.
    var hearsStages: Bool { get }

    /// A caller waits for the request now.
    func requestDidResume(_ request: Request)
    /// The convertible has built the request.
    func request(_ request: Request, didCreateInitialURLRequest urlRequest: URLRequest)
    /// The convertible failed, or built something that may not be sent.
    func request(_ request: Request, didFailToCreateURLRequestWithError error: AFError)
    /// All adapters have run; not called when there are none.
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
    /// An attempt has its response, or will never have one.
    func request(
        _ request: Request, didReceive result: Result<TransportResponse, TransportError>,
        cause: RequestCause)
    /// The response was a redirection, and the attempt goes on at its target.
    func request(
        _ request: Request, didRedirectTo urlRequest: URLRequest, after response: HTTPURLResponse)
    /// A validator has checked the response.
    func request(
        _ request: Request, didValidateResponse response: HTTPURLResponse,
        withResult result: Result<Void, AFError>)
    /// An attempt is over, before any retrier is asked about another.
    func request(_ request: Request, didCompleteAttemptWithError error: AFError?)
    /// The request is about to be attempted again, for the `retryCount`-th time.
    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error)
    /// The last attempt is over, unless a serializer's failure leads to one more.
    func requestDidFinish(_ request: Request)
    /// A serializer has run.
    func request(_ request: Request, didParseResponseWithError error: AFError?)
    /// The request has ended, and its callers are told.
    func requestDidFinish(_ request: Request, error: AFError?)
    /// The request was cancelled.
    func requestDidCancel(_ request: Request)
    /// An event that the request waits for can never happen: the request will never end.
    func request(_ request: Request, didLose completion: LostCompletion)
    /// An interceptor called a completion once more; the call is ignored.
    func request(_ request: Request, didCallAgain completion: LostCompletion)
    /// A budget was asked for a retry, and had one left or not.
    func request(_ request: Request, didAskBudget isGranted: Bool)
}

// By default every event is ignored.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension EventMonitor {
    /// True: a monitor is told of every stage unless it says otherwise.
    public var hearsStages: Bool { true }

    public func requestDidResume(_: Request) {}
    public func request(_: Request, didCreateInitialURLRequest _: URLRequest) {}
    public func request(_: Request, didFailToCreateURLRequestWithError _: AFError) {}
    public func request(_: Request, didAdaptInitialRequest _: URLRequest, to _: URLRequest) {}
    public func request(_: Request, didFailToAdaptURLRequest _: URLRequest, withError _: AFError) {}
    public func request(_: Request, didCreateURLRequest _: URLRequest) {}
    public func request(_: Request, didCreateUploadable _: Body) {}
    public func request(_: Request, didFailToCreateUploadableWithError _: AFError) {}
    public func request(_: Request, willSend _: URLRequest, cause _: RequestCause) {}
    public func request(
        _: Request, didReceive _: Result<TransportResponse, TransportError>, cause _: RequestCause
    ) {}
    public func request(
        _: Request, didRedirectTo _: URLRequest, after _: HTTPURLResponse
    ) {}
    public func request(
        _: Request, didValidateResponse _: HTTPURLResponse, withResult _: Result<Void, AFError>
    ) {}
    public func request(_: Request, didCompleteAttemptWithError _: AFError?) {}
    public func request(_: Request, isRetrying _: Int, after _: any Error) {}
    public func requestDidFinish(_: Request) {}
    public func request(_: Request, didParseResponseWithError _: AFError?) {}
    public func requestDidFinish(_: Request, error _: AFError?) {}
    public func requestDidCancel(_: Request) {}
    public func request(_: Request, didLose _: LostCompletion) {}
    public func request(_: Request, didCallAgain _: LostCompletion) {}
    public func request(_: Request, didAskBudget _: Bool) {}
}
