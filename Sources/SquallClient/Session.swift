public import SquallHTTP
import Synchronization

/// One device's stack of requests, interceptors and tokens.
///
/// **Start here** to read this module. The names and rules are Alamofire's. Awaiting a response
/// runs the whole pipeline in the awaiting task: the convertible, the adapters, the transport, the
/// validators, the retrier, the serializer, and once more the retrier. `Requests/` holds that
/// pipeline; `Interception/`, `Retrying/` and `Authentication/` what can be added to it;
/// `Conformance.md` says how close it is to the original.
public final class Session: Sendable {
    /// What this session shares with others.
    public let environment: SessionEnvironment
    /// The user of the session.
    public let user: UInt64
    /// Adapts and retries every request of the session: its own, then the common one.
    public let interceptor: (any RequestInterceptor)?
    /// Whether there is one: testing an existential for nil copies it.
    let isIntercepted: Bool

    private struct Counters {
        var step: UInt32 = 0
        var requests: UInt32 = 0
    }
    private let counters = Mutex(Counters())
    private let active = Mutex(ActiveRequests())
    /// The session that counts its requests together with this one's.
    private let parentSession: Session?
    /// The user's pool of connections that its requests use.
    private let pool: UInt8

    /// A session for one user.
    public init(
        environment: SessionEnvironment, user: UInt64 = 0,
        interceptor: (any RequestInterceptor)? = nil
    ) {
        self.environment = environment
        self.user = user
        self.interceptor = environment.configuration.joined(to: interceptor)
        isIntercepted = self.interceptor != nil
        parentSession = nil
        pool = 0
    }

    /// A second session of the same user, with an interceptor of its own or none.
    ///
    /// The two number their requests together, so that each number stays one request's. They share
    /// their connections too, unless the new session is given a pool of its own.
    public init(
        beside session: Session, interceptor: (any RequestInterceptor)? = nil, pool: UInt8 = 0
    ) {
        environment = session.environment
        user = session.user
        self.interceptor = environment.configuration.joined(to: interceptor)
        isIntercepted = self.interceptor != nil
        parentSession = session.parentSession ?? session
        self.pool = pool
    }

    /// Sets the user action that requests belong to from now on.
    public func beginStep(_ step: UInt32) {
        (parentSession ?? self).counters.withLock { $0.step = step }
    }

    /// A request that is sent when a caller waits for its response, built once for every attempt.
    public func request(_ convertible: any URLRequestConvertible) -> DataRequest {
        DataRequest(session: self, convertible: convertible, own: nil, cause: nextCause())
    }

    /// The same with an interceptor that has its turn after the session's.
    public func request(
        _ convertible: any URLRequestConvertible, interceptor: (any RequestInterceptor)?
    ) -> DataRequest {
        DataRequest(
            session: self, convertible: convertible,
            own: interceptor.map(Request.OwnInterceptor.init), cause: nextCause())
    }

    /// A request whose body is made after its adapters ran, anew for every attempt.
    public func upload(
        _ uploadable: @escaping @Sendable () throws -> Body,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        UploadRequest(
            session: self, convertible: convertible, interceptor: interceptor, cause: nextCause(),
            uploadable: uploadable)
    }

    /// A request with a body of its own.
    public func upload(
        _ body: Body, with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        upload({ body }, with: convertible, interceptor: interceptor)
    }

    /// A request with a form as its body; the form's content type replaces the convertible's.
    ///
    /// The form is filled and encoded once: every attempt sends the same bytes. Its boundary comes
    /// from the environment's randomness.
    public func upload(
        multipartFormData fill: (inout MultipartFormData) -> Void,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil
    ) -> UploadRequest {
        let cause = nextCause()
        let bits = environment.random.bits(
            "client.boundary", user: user, ordinal: UInt64(cause.request))
        var form = MultipartFormData(boundary: MultipartFormData.boundary(from: bits))
        fill(&form)
        let body = form.body
        return UploadRequest(
            session: self,
            convertible: FormRequest(contentType: form.contentType, convertible: convertible),
            interceptor: interceptor, cause: cause, uploadable: { body })
    }

    /// The requests that callers wait for, in the order in which they began.
    public var activeRequests: [Request] { active.withLock { $0.all } }

    /// Cancels every request that has begun and not ended, in the order in which they began.
    public func cancelAllRequests() {
        for request in activeRequests { request.cancel() }
    }

    func began(_ request: Request) { active.withLock { $0.insert(request) } }

    func ended(_ request: Request) { active.withLock { $0.remove(request) } }

    private func nextCause() -> RequestCause {
        let (step, number) = (parentSession ?? self).counters.withLock { counters in
            counters.requests &+= 1
            return (counters.step, counters.requests &- 1)
        }
        return RequestCause(
            user: user, step: step, request: number, refreshFor: RequestCause.retrying,
            pool: pool, screen: ScreenState.asking)
    }
}
