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
    /// Kept beside the interceptor, because testing an existential for nil copies it.
    let isIntercepted: Bool
    /// False where that interceptor leaves every request as it is.
    @usableFromInline let isAdapted: Bool
    /// The user's pool of connections that its requests use; here, as elsewhere it would make every
    /// session 16 bytes larger.
    private let pool: UInt8
    /// The breaker that counts failed attempts; few sessions have one.
    let breaker: CircuitBreaker?

    private struct Counters {
        var step: UInt32 = 0
        var requests: UInt32 = 0
    }
    private let counters = Mutex(Counters())
    private let active = Mutex(ActiveRequests())
    /// The session that counts its requests together with this one's.
    private let parentSession: Session?
    /// How long its requests wait for a response that do not say it; `nil` for the default.
    let timeoutNanoseconds: Int64?

    /// A session for one user.
    public init(
        environment: SessionEnvironment, user: UInt64 = 0,
        interceptor: (any RequestInterceptor)? = nil
    ) {
        self.environment = environment
        self.user = user
        (self.interceptor, breaker) = environment.configuration.joined(to: interceptor)
        isIntercepted = self.interceptor != nil
        isAdapted = self.interceptor.map { !$0.leavesRequests } ?? false
        parentSession = nil
        (pool, timeoutNanoseconds) = (0, nil)
    }

    /// A second session of the same user, with an interceptor of its own or none.
    ///
    /// The two number their requests together, so that each number stays one request's. They share
    /// their connections too, unless the new session is given a pool of its own. A timeout is that
    /// of requests that have none.
    public init(
        beside session: Session, interceptor: (any RequestInterceptor)? = nil, pool: UInt8 = 0,
        timeoutNanoseconds: Int64? = nil
    ) {
        environment = session.environment
        user = session.user
        (self.interceptor, breaker) = environment.configuration.joined(to: interceptor)
        isIntercepted = self.interceptor != nil
        isAdapted = self.interceptor.map { !$0.leavesRequests } ?? false
        parentSession = session.parentSession ?? session
        (self.pool, self.timeoutNanoseconds) = (pool, timeoutNanoseconds)
    }

    /// Sets the user action that requests belong to from now on.
    public func beginStep(_ step: UInt32) {
        (parentSession ?? self).counters.withLock { $0.step = step }
    }

    /// A request that is sent when a caller waits for its response, built once for every attempt.
    public func request(_ convertible: consuming any URLRequestConvertible) -> DataRequest {
        DataRequest(session: self, convertible: convertible, own: nil, cause: nextCause())
    }

    /// A request with an interceptor that has its turn after the session's.
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

    private func nextNumber() -> (step: UInt32, request: UInt32) {
        counters.withLock { counters in
            counters.requests &+= 1
            return (counters.step, counters.requests &- 1)
        }
    }

    private func nextCause() -> RequestCause {
        let (step, number) = parentSession?.nextNumber() ?? nextNumber()
        let purpose = Purpose.current
        return RequestCause(
            user: user, step: step, request: number, refreshFor: purpose.retrying, pool: pool,
            screen: purpose.screen)
    }
}

/// What all sessions of one program share: its network, its time, its randomness, its observers.
///
/// A million sessions hold one reference to it.
public final class SessionEnvironment: Sendable {
    /// The way of every attempt to a server.
    public let transport: any Transport
    /// The device's clock, and sleeps on it.
    public let time: any TimeSource
    /// Where random choices come from.
    public let random: any RandomSource
    /// The decoder for serializers that are given none.
    public let decoder: any DataDecoder
    /// The monitors that are told of every request, in order.
    public let eventMonitors: [any EventMonitor]
    /// The program's choices for all its sessions.
    public let configuration: SessionConfiguration
    /// `eventMonitors` as a chain, of which nothing is copied to tell it.
    private let taps: [MonitorTap]
    private let firstTap: Unmanaged<MonitorTap>?
    let isMonitoredInStages: Bool
    /// The requests that wait for a completion that can never be called any more.
    let parked = Mutex(ParkedRequests())
    /// The waits for a completion that may still be called.
    let heldWaits = Mutex(HeldWaits())

    /// An environment from its parts.
    public init(
        transport: any Transport, time: any TimeSource, random: any RandomSource,
        decoder: any DataDecoder = FoundationJSONDecoder(),
        eventMonitors: [any EventMonitor] = [],
        configuration: SessionConfiguration = SessionConfiguration()
    ) {
        self.transport = transport
        self.time = time
        self.random = random
        self.decoder = decoder
        self.eventMonitors = eventMonitors
        taps = eventMonitors.reversed().reduce(into: []) {
            $0.append(MonitorTap($1, before: $0.last))
        }
        firstTap = taps.last.map(Unmanaged.passUnretained)
        isMonitoredInStages = eventMonitors.contains(where: \.hearsStages)
        self.configuration = configuration
    }
}

/// A monitor, and the one that is told after it.
final class MonitorTap: Sendable {
    let monitor: any EventMonitor
    // Safe because the environment keeps all of them as long as it lives.
    let next: Unmanaged<MonitorTap>?

    init(_ monitor: any EventMonitor, before next: MonitorTap?) {
        self.monitor = monitor
        self.next = next.map(Unmanaged.passUnretained)
    }
}

extension SessionEnvironment {
    /// Inlined, so that no closure is made of what is told: it would count references to all of it.
    @inline(__always)
    func notify(_ tell: (any EventMonitor) -> Void) {
        var next = firstTap
        while let tap = next {
            next = tap._withUnsafeGuaranteedRef { tap in
                tell(tap.monitor)
                return tap.next
            }
        }
    }
}

/// What a program chooses for all its sessions.
public struct SessionConfiguration: Sendable {
    /// Header fields that every request gets on its way out unless it has them.
    ///
    /// Empty, unlike Alamofire's: nothing reads them, and each costs every request time.
    public var defaultHeaders: HTTPHeaders = []
    /// What happens to answers that are redirections.
    public var redirector = Redirector.follow
    /// How many redirections of one attempt are followed before it fails.
    public var redirectLimit = 16
    /// True to end a request whose completion was dropped with an error instead of never.
    ///
    /// On a phone it never ends, so never is the default.
    public var failsLostRequests = false

    /// Makes an interceptor that every session asks after its own; none when nil.
    ///
    /// Each session gets one of its own, because its state, such as a budget, is one phone's.
    public var commonInterceptor: (@Sendable () -> any RequestInterceptor)?

    /// Alamofire's choices, without default header fields.
    public init() {}
}

extension SessionConfiguration {
    /// A session's own interceptor followed by a common one made for it, where there are any.
    func joined(
        to own: (any RequestInterceptor)?
    ) -> (interceptor: (any RequestInterceptor)?, breaker: CircuitBreaker?) {
        guard let common = commonInterceptor?() else { return (own, own as? CircuitBreaker) }
        return (
            own.map { Interceptor(interceptors: [$0, common]) } ?? common,
            own as? CircuitBreaker ?? common as? CircuitBreaker
        )
    }
}

/// The time a client lives in.
public protocol TimeSource: Sendable {
    /// Nanoseconds since 1970, as the device's clock shows them; a user may set it, both ways.
    var nanosecondsSinceEpoch: Int64 { get }
    /// Nanoseconds that have passed since some moment; never goes back.
    ///
    /// For whatever measures how long something took: a clock that is set must not change it.
    var uptimeNanoseconds: Int64 { get }
    /// Suspends the calling task.
    ///
    /// - Throws: `CancellationError` when the task is or gets cancelled.
    func sleep(nanoseconds: Int64) async throws(CancellationError)
}

extension TimeSource {
    /// The wall clock, for a clock that is never set.
    public var uptimeNanoseconds: Int64 { nanosecondsSinceEpoch }
}

/// Randomness without state: the value is a function of purpose, user and ordinal.
public protocol RandomSource: Sendable {
    /// Sixty-four random bits, the same for the same purpose, user and ordinal.
    func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64
}

/// Turns the bytes of an answer into a value.
public protocol DataDecoder: Sendable {
    /// Decodes a value from a body.
    ///
    /// - Throws: what the format's decoder throws.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value
}

/// A page of a list that is read cursor by cursor.
public protocol CursorPage: Decodable, Sendable {
    /// What the list holds.
    associatedtype Item: Decodable & Sendable
    /// The page's items, in the server's order.
    var items: [Item] { get }
    /// Where the next page begins; `"0"` after the last one.
    var nextCursor: String { get }
    /// A page from its parts.
    init(items: [Item], nextCursor: String)
}
