public import HTTP
internal import Synchronization

/// One device's stack of requests, interceptors and tokens: start reading here.
///
/// The names and rules are Alamofire's. Awaiting a response runs the whole pipeline in the awaiting
/// task: the convertible, the adapters, the transport, the validators, the retrier, the serializer,
/// and once more the retrier.
public final class Session: Sendable {
    /// What this session shares with others.
    public let environment: SessionEnvironment
    /// Whose session it is.
    public let user: UInt64
    /// Adapts and retries every request of the session.
    public let interceptor: (any RequestInterceptor)?

    private struct Counters {
        var step: UInt32 = 0
        var requests: UInt32 = 0
    }
    private let counters = Mutex(Counters())

    /// A session for one user.
    public init(
        environment: SessionEnvironment, user: UInt64 = 0,
        interceptor: (any RequestInterceptor)? = nil
    ) {
        self.environment = environment
        self.user = user
        self.interceptor = interceptor
    }

    /// Says which user action the requests made from now on belong to.
    public func beginStep(_ step: UInt32) { counters.withLock { $0.step = step } }

    /// A request that is sent when somebody waits for its response.
    ///
    /// - Parameters:
    ///   - convertible: builds the request, once for every attempt.
    ///   - interceptor: adapts and retries this request after the session's has had its turn.
    /// - Returns: a request that has not been sent yet.
    public func request(
        _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)? = nil
    ) -> DataRequest {
        let (step, number) = counters.withLock { counters in
            counters.requests &+= 1
            return (counters.step, counters.requests &- 1)
        }
        let cause = RequestCause(
            user: user, step: step, request: number, refreshFor: RequestCause.retrying)
        return DataRequest(
            session: self, convertible: convertible, interceptor: interceptor, cause: cause)
    }
}

extension RequestCause {
    /// The request whose retrier is running in this task, if one is.
    @TaskLocal static var retrying: UInt32?
}

/// Something that can build a request, as a router's case can.
public protocol URLRequestConvertible: Sendable {
    /// The request; called again for every attempt, so that it may carry a newer token.
    ///
    /// - Throws: whatever keeps the request from being built.
    func asURLRequest() throws -> URLRequest
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() -> URLRequest { self }
}
