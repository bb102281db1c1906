public import SquallHTTP

/// Sends failed idempotent requests again, with exponentially growing delays.
///
/// By default as in Alamofire: twice, after 0.5 s and 1 s, without jitter and ignoring
/// `Retry-After`. `pacing` adds a well-behaved client's rules. It only sees failures: without a
/// validator a 503 is a success.
///
/// | status or error | GET, HEAD, PUT, DELETE, OPTIONS, TRACE | POST, PATCH |
/// |---|---|---|
/// | 408, 500, 502, 503, 504 | sent again | not |
/// | connection, name or certificate failure, time-out | sent again | not |
/// | anything else, 429 among it | not | not |
///
/// Subclasses may replace the decision altogether, and then share nothing but the limit.
open class RetryPolicy: RequestInterceptor, @unchecked Sendable {
    // Safe because everything it holds is immutable; subclasses answer for their own.

    private let rules: Rules

    /// A policy with the caller's values, or with Alamofire's defaults.
    ///
    /// - Precondition: the base is at least 2, so that delays grow.
    public init(
        retryLimit: UInt = RetryPolicy.defaultRetryLimit,
        exponentialBackoffBase: UInt = RetryPolicy.defaultExponentialBackoffBase,
        exponentialBackoffScale: Double = RetryPolicy.defaultExponentialBackoffScale,
        retryableHTTPMethods: Set<HTTPMethod> = RetryPolicy.defaultRetryableHTTPMethods,
        retryableHTTPStatusCodes: Set<Int> = RetryPolicy.defaultRetryableHTTPStatusCodes,
        retryableURLErrorCodes: Set<TransportError.Code> = RetryPolicy
            .defaultRetryableURLErrorCodes,
        pacing: RetryPacing = RetryPacing()
    ) {
        precondition(
            exponentialBackoffBase >= 2, "the base is \(exponentialBackoffBase), use 2 or more")
        rules = Rules(
            limit: retryLimit, base: exponentialBackoffBase, scale: exponentialBackoffScale,
            methods: retryableHTTPMethods, statuses: retryableHTTPStatusCodes,
            errors: retryableURLErrorCodes, pacing: pacing)
    }

    /// Alamofire's defaults; all policies made this way share them.
    public init() { rules = .alamofire }

    /// How often a request may be sent again.
    public var retryLimit: UInt { rules.limit }
    /// What delays grow by from one retry to the next.
    public var exponentialBackoffBase: UInt { rules.base }
    /// The first delay, in seconds.
    public var exponentialBackoffScale: Double { rules.scale }
    /// Verbs that may be sent again.
    public var retryableHTTPMethods: Set<HTTPMethod> { rules.methods }
    /// Statuses after which a request is sent again.
    public var retryableHTTPStatusCodes: Set<Int> { rules.statuses }
    /// Errors of the transport after which a request is sent again.
    public var retryableURLErrorCodes: Set<TransportError.Code> { rules.errors }
    /// What it does beyond Alamofire.
    public var pacing: RetryPacing { rules.pacing }

    /// True without a budget, which counts requests.
    public final var leavesRequests: Bool { rules.pacing.budget == nil }

    /// Passes the request on as it is, and counts it for the budget; as in Alamofire no subclass
    /// changes that.
    public final func adapt(_ urlRequest: URLRequest, of request: Request) async throws
        -> URLRequest
    {
        if let budget = rules.pacing.budget, request.retryCount == 0 { budget.deposit() }
        return urlRequest
    }

    /// Decides by method, status or error, and the number of retries so far.
    open func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.retryCount < retryLimit, shouldRetry(request: request, dueTo: error),
            canAfford(request)
        else { return completion(.doNotRetry) }
        completion(.retryWithDelay(delay(of: request)))
    }

    /// True if the budget has a retry, which is then taken out; also without a budget.
    private func canAfford(_ request: Request) -> Bool {
        guard let isGranted = rules.pacing.budget?.withdraw() else { return true }
        if !isGranted, request.isAskedAgain { return false }
        request.notify { $0.request(request, didAskBudget: isGranted) }
        return isGranted
    }

    /// True if a request may be sent again after an error, apart from the limit.
    open func shouldRetry(request: Request, dueTo error: any Error) -> Bool {
        guard let method = request.request?.method, rules.methods.contains(method) else {
            return false
        }
        if let status = request.response?.statusCode, rules.statuses.contains(status) {
            return true
        }
        let cause = error as? TransportError ?? error.asAFError?.underlyingError as? TransportError
        return cause.map { rules.errors.contains($0.code) } ?? false
    }

    private func delay(of request: Request) -> Double {
        let backoff = Backoff(
            base: Double(rules.base), scale: rules.scale, maximum: rules.pacing.maximumDelay)
        let delay = backoff.delay(
            retry: request.retryCount, jitter: rules.pacing.jitter, of: request)
        guard rules.pacing.respectsRetryAfter, let response = request.response else {
            return delay
        }
        let now = request.session.environment.time.nanosecondsSinceEpoch / 1_000_000_000
        return max(delay, response.retryAfterSeconds(now: now) ?? 0)
    }

    private final class Rules: Sendable {
        let limit: UInt
        let base: UInt
        let scale: Double
        let methods: Set<HTTPMethod>
        let statuses: Set<Int>
        let errors: Set<TransportError.Code>
        let pacing: RetryPacing

        init(
            limit: UInt, base: UInt, scale: Double, methods: Set<HTTPMethod>, statuses: Set<Int>,
            errors: Set<TransportError.Code>, pacing: RetryPacing
        ) {
            self.limit = limit
            self.base = base
            self.scale = scale
            self.methods = methods
            self.statuses = statuses
            self.errors = errors
            self.pacing = pacing
        }

        static let alamofire = Rules(
            limit: defaultRetryLimit, base: defaultExponentialBackoffBase,
            scale: defaultExponentialBackoffScale, methods: defaultRetryableHTTPMethods,
            statuses: defaultRetryableHTTPStatusCodes, errors: defaultRetryableURLErrorCodes,
            pacing: RetryPacing())
    }
}

extension RetryPolicy {
    /// Two retries.
    public static let defaultRetryLimit: UInt = 2
    /// Each delay is twice the one before.
    public static let defaultExponentialBackoffBase: UInt = 2
    /// The first delay is half a second.
    public static let defaultExponentialBackoffScale = 0.5
    /// The idempotent verbs.
    public static let defaultRetryableHTTPMethods: Set<HTTPMethod> = [
        .delete, .get, .head, .options, .put, .trace,
    ]
    /// Statuses that may be different next time; 429 is not among them.
    public static let defaultRetryableHTTPStatusCodes: Set<Int> = [408, 500, 502, 503, 504]
    /// Errors that may be different next time.
    public static let defaultRetryableURLErrorCodes: Set<TransportError.Code> = [
        .backgroundSessionInUseByAnotherProcess, .backgroundSessionWasDisconnected,
        .badServerResponse, .callIsActive, .cannotConnectToHost, .cannotFindHost,
        .cannotLoadFromNetwork, .dataNotAllowed, .dnsLookupFailed,
        .downloadDecodingFailedMidStream, .downloadDecodingFailedToComplete,
        .internationalRoamingOff, .networkConnectionLost, .notConnectedToInternet,
        .secureConnectionFailed, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .timedOut,
    ]
}

extension HTTPURLResponse {
    /// For how many seconds the server does not want to be asked again; `nil` if it did not say.
    ///
    /// A moment that has passed is below zero. `now` is the present, in seconds since 1970.
    public func retryAfterSeconds(now: Int64) -> Double? {
        guard let value = headers.value(for: "Retry-After") else { return nil }
        if let seconds = Int64(value) { return Double(seconds) }
        return HTTPDate.secondsSince1970(value).map { Double($0 - now) }
    }
}
