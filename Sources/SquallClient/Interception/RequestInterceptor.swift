public import SquallHTTP

/// Changes a request before it is sent.
///
/// Implement either form. The session calls the asynchronous one, whose default hands a completion
/// to the other and notices when that completion is dropped.
public protocol RequestAdapter: Sendable {
    /// Adapts a request and calls `completion`, exactly once, with the result.
    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void)

    /// Adapts a request.
    ///
    /// - Throws: what prevents the request from being sent.
    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest

    /// True for one that leaves every request as it is, and so is not asked; false by default. A
    /// session asks it once.
    var leavesRequests: Bool { get }
}

/// Decides whether a failed request is sent again.
///
/// Implement either form, as with `RequestAdapter`.
public protocol RequestRetrier: Sendable {
    /// Decides and calls `completion`, exactly once, with the decision.
    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void)

    /// Decides about a failed request; the request waits for it.
    func retry(_ request: Request, dueTo error: any Error) async -> RetryResult
}

/// Both at once.
public protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

/// An interceptor that only has the asynchronous forms.
public protocol AsyncRequestInterceptor: RequestInterceptor {}

/// What happens with a failed request.
public enum RetryResult: Sendable {
    /// Send it again at once.
    case retry
    /// Send it again after this many seconds.
    case retryWithDelay(Double)
    /// Leave the error as it is.
    case doNotRetry
    /// Leave it, and report this error beside it.
    case doNotRetryWithError(any Error)

    /// After how many seconds it is to be sent again; `nil` for at once and for never.
    public var delay: Double? {
        guard case .retryWithDelay(let seconds) = self else { return nil }
        return seconds
    }

    /// What to report beside the error.
    public var error: (any Error)? {
        guard case .doNotRetryWithError(let error) = self else { return nil }
        return error
    }
}

extension RequestInterceptor {
    /// Passes the request on as it is.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(.success(urlRequest))
    }

    /// Leaves every error as it is.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}

extension AsyncRequestInterceptor {
    /// Never called: callers use the asynchronous form.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        preconditionFailure("\(type(of: self)) was given a completion; call adapt(_:of:)")
    }

    /// Never called: callers use the asynchronous form.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        preconditionFailure("\(type(of: self)) was given a completion; call retry(_:dueTo:)")
    }

    /// Passes the request on as it is.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        urlRequest
    }

    /// Leaves every error as it is.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        .doNotRetry
    }
}

extension RequestAdapter {
    /// False: it is asked.
    public var leavesRequests: Bool { false }

    /// Calls the form with a completion and waits for it; for ever if it is dropped.
    ///
    /// Requests made meanwhile count as made because of this one.
    ///
    /// - Throws: what the completion was given, or `LostCompletionError` at the program's end.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        try await adaptByCompletion(urlRequest, of: request)
    }

    /// The asynchronous form of an adapter that has none of its own.
    ///
    /// - Throws: what the completion was given, or `LostCompletionError` at the program's end.
    public func adaptByCompletion(
        _ urlRequest: URLRequest, of request: Request
    ) async throws -> URLRequest {
        let result = await OneShot<Result<URLRequest, any Error>>.value(
            for: request, at: .adapt, in: type(of: self),
            endsWhenCancelled: request.endsWhenCancelled
        ) { completion in
            RequestCause.retrying(request.number) {
                adapt(urlRequest, for: request.session, completion: completion)
            }
        }
        guard let result else {
            throw LostCompletionError(lost: LostCompletion(place: .adapt, in: type(of: self)))
        }
        return try result.get()
    }
}

extension RequestRetrier {
    /// Calls the form with a completion and waits for it; for ever if it is dropped.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        await retryByCompletion(request, dueTo: error)
    }

    /// The asynchronous form of a retrier that has none of its own.
    public func retryByCompletion(_ request: Request, dueTo error: any Error) async -> RetryResult {
        let result = await OneShot<RetryResult>.value(
            for: request, at: .retry, in: type(of: self),
            endsWhenCancelled: request.endsWhenCancelled
        ) { completion in
            retry(request, for: request.session, dueTo: error, completion: completion)
        }
        if let result { return result }
        let lost = LostCompletion(place: .retry, in: type(of: self))
        return .doNotRetryWithError(LostCompletionError(lost: lost))
    }
}

/// Several adapters and retriers as one interceptor.
///
/// Adapters run in order, each on the result of the one before, until one fails. Retriers are asked
/// in order until one says anything but `doNotRetry`.
public final class Interceptor: AsyncRequestInterceptor {
    private let ownAdapters: [any RequestAdapter]
    private let ownRetriers: [any RequestRetrier]
    private let interceptors: [any RequestInterceptor]

    /// Adapters and retriers in order, each followed by the interceptors.
    public init(
        adapters: [any RequestAdapter] = [], retriers: [any RequestRetrier] = [],
        interceptors: [any RequestInterceptor] = []
    ) {
        ownAdapters = adapters
        ownRetriers = retriers
        self.interceptors = interceptors
    }

    /// The adapters in order.
    public var adapters: [any RequestAdapter] { ownAdapters + interceptors }
    /// The retriers in order.
    public var retriers: [any RequestRetrier] { ownRetriers + interceptors }

    /// The request as the adapters leave it.
    ///
    /// - Throws: the first adapter's error.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        var urlRequest = urlRequest
        for adapter in ownAdapters { urlRequest = try await adapter.adapt(urlRequest, of: request) }
        for adapter in interceptors {
            urlRequest = try await adapter.adapt(urlRequest, of: request)
        }
        return urlRequest
    }

    /// The first retrier's decision that is not `doNotRetry`.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        for retrier in retriers {
            let result = await retrier.retry(request, dueTo: error)
            guard case .doNotRetry = result else { return result }
        }
        return .doNotRetry
    }
}
