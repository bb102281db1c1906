public import HTTP

/// Sends failed idempotent requests again, with exponentially growing delays.
///
/// Subclasses may replace the decision altogether, and then share nothing but the limit.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    // Safe because everything it holds is immutable; subclasses answer for their own.

    /// How often a request may be sent again.
    public let retryLimit: UInt

    /// A policy with a limit.
    public init(retryLimit: UInt = 2) { self.retryLimit = retryLimit }

    /// Passes the request on as it is.
    open func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        urlRequest
    }

    /// Decides by method, status or error, and the number of retries so far.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        completion(.doNotRetry)
    }
}
