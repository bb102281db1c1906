public import SquallHTTP
import Synchronization

/// A logical request, which may be sent several times.
///
/// A request that is awaited runs in the awaiting task, and ends when that task is cancelled. A
/// request that was resumed, or that has a completion handler, runs in a task of its own; callers
/// that await it then only wait for its result.
public class Request: @unchecked Sendable {
    // Safe because everything that changes is in a Mutex: in its own or, its place among those that
    // are active, in its session's.

    /// The session that made it.
    public let session: Session
    /// The request's number in its session, from 0.
    public var number: UInt32 { cause.request }

    let convertible: any URLRequestConvertible
    let own: OwnInterceptor?
    let cause: RequestCause
    @exclusivity(unchecked) fileprivate var nextActive: Unmanaged<Request>?
    @exclusivity(unchecked) fileprivate var previousActive: Unmanaged<Request>?
    @exclusivity(unchecked) fileprivate var isActive = false
    private let state = Mutex(State())

    init(
        session: Session, convertible: consuming any URLRequestConvertible, own: OwnInterceptor?,
        cause: RequestCause
    ) {
        self.session = session
        self.convertible = convertible
        self.own = own
        self.cause = cause
    }

    deinit {
        if isActive { session.ended(self) }
    }

    /// How often the request has been sent again so far.
    public var retryCount: UInt { UInt(state.withLock { $0.retryCount }) }
    /// The request as it was last built or, once its adapters are through, adapted.
    public var request: URLRequest? { state.withLock { $0.request } }
    /// The request as it was built and, if there are adapters, as they left it, for every attempt.
    public var requests: [URLRequest] { state.withLock { $0.requests } }
    /// The head of the response to the last attempt that reached the transport.
    public var response: HTTPURLResponse? { state.withLock { $0.attempt }?.response }
    /// The body of the last attempt's response.
    public var data: Body? { state.withLock { $0.attempt }?.body }
    /// The error of the last attempt.
    public var error: AFError? { state.withLock { $0.attempt }?.error }
    /// True from the moment of the cancellation; the request may not have ended yet.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }
    /// True as soon as the request has ended and all its callers were told.
    public var isFinished: Bool { state.withLock { $0.phase == .finished } }

    func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    /// The last step before the transport: what an upload adds to the request.
    func completed(_ urlRequest: URLRequest) throws(AFError) -> URLRequest { urlRequest }
}

extension Request {
    /// The interceptor that a request brings along; few have one, and looking at an existential
    /// copies it.
    final class OwnInterceptor: Sendable {
        let interceptor: any RequestInterceptor

        init(_ interceptor: any RequestInterceptor) { self.interceptor = interceptor }
    }

    /// What changes during a request's life.
    struct State: Sendable {
        enum Phase: Sendable {
            /// No caller has waited for it yet.
            case initialized
            /// A task drives it.
            case running
            /// All its callers were told.
            case finished
        }

        var phase = Phase.initialized
        var isCancelled = false
        /// True as soon as it was released from a wait for ever; no retrier is asked any more.
        var isReleased = false
        var retryCount: UInt32 = 0
        var validators = ValidatorList()
        /// The request of the attempt under way or just over, as it was built.
        var initialRequest: URLRequest?
        /// `initialRequest` as its adapters left it; `nil` until then, and when there are no
        /// adapters.
        var adaptedRequest: URLRequest?
        /// The last attempt, once it is over; of one that is to be sent again, what is left of it
        /// until the next reaches the transport.
        var attempt: Attempt?
        /// True if the retriers are asked, or were last asked, about a serializer's failure.
        var isSerializing = false
        /// True if the retriers were asked about the attempt before.
        var isAskedAgain = false
        /// True as soon as they have been asked about the attempt at all.
        var wasAsked = false
        /// What wants the response, where no task waits for it.
        var caller: Caller?
        /// What most requests never have.
        private(set) var rare: Rare?

        /// `rare` for writing, made if it is missing.
        var made: Rare {
            mutating get {
                if let rare { return rare }
                let made = Rare()
                rare = made
                return made
            }
        }

        var request: URLRequest? {
            adaptedRequest ?? initialRequest ?? rare?.earlierRequests.last
        }
        var requests: [URLRequest] {
            (rare?.earlierRequests ?? []) + [initialRequest, adaptedRequest].compactMap(\.self)
        }
    }

    /// The part of a request's state that most requests never have.
    final class Rare: @unchecked Sendable {
        // Safe because it is touched under the lock of its state only; so no access needs a check.

        /// What was added to the request's own interceptor, in order.
        @exclusivity(unchecked) var interceptors: [any RequestInterceptor] = []
        /// The requests of the attempts before the newest.
        @exclusivity(unchecked) var earlierRequests: [URLRequest] = []
        /// The moment at which the request was last looked at for spinning.
        @exclusivity(unchecked) var spinMark: Int64 = 0
        /// What the last serializer that failed for good failed with.
        @exclusivity(unchecked) var finalError: AFError?
        /// The other callers that want the response, in the order in which they asked.
        @exclusivity(unchecked) var handlers: [ResponseHandler] = []
        @exclusivity(unchecked) var redirector: Redirector?
        /// How many redirections a request without a task has followed.
        @exclusivity(unchecked) var redirections = 0
        /// The task that drives it, if it has one of its own.
        @exclusivity(unchecked) var driver: Task<Void, Never>?
        /// Ends what the driver is waiting for, where cancelling its task would not.
        @exclusivity(unchecked) var interruption: (@Sendable () -> Void)?
    }

    /// What a cancelled request's driver may be waiting for.
    private struct Waiting: Sendable {
        let driver: Task<Void, Never>?
        let interruption: (@Sendable () -> Void)?
    }

    /// True if a retrier was asked about this attempt before.
    ///
    /// As in Alamofire, an attempt that failed is asked about when it ends, and once more when
    /// serializing fails with the same error. What counts failures counts the first question only.
    var isAskedAgain: Bool { withState { $0.isAskedAgain } }

    /// True if a cancel ends the request where it stands, no send of it being under way.
    var endsWhenCancelled: Bool {
        withState { !$0.isSerializing && !($0.attempt?.hasTask ?? false) }
    }

    func setInterruption(_ interrupt: (@Sendable () -> Void)?) {
        withState { $0.made.interruption = interrupt }
    }

    /// Sends the request in a task of its own, unless a caller waits for it already.
    @discardableResult
    public func resume() -> Self {
        withState { state in
            guard state.phase == .initialized, state.rare?.driver == nil else { return }
            state.made.driver = Task { await self.driveAlone() }
        }
        return self
    }

    /// Ends the request with `explicitlyCancelled`, or with the error it already has.
    ///
    /// A request that runs in a task which awaits it ends when its answer comes; cancel that task
    /// to end it at once. As with Alamofire, the caller of a request that is cancelled between two
    /// attempts is never told, unless it was never sent or its next attempt fails before that.
    @discardableResult
    public func cancel() -> Self {
        let waiting: Waiting? = withState { state in
            guard !state.isCancelled, state.phase != .finished else { return nil }
            state.isCancelled = true
            return Waiting(driver: state.rare?.driver, interruption: state.rare?.interruption)
        }
        guard let waiting else { return self }
        notify { $0.requestDidCancel(self) }
        waiting.driver?.cancel()
        waiting.interruption?()
        return self
    }

    /// Follows, refuses or changes redirections of this request.
    @discardableResult
    public func redirect(using redirector: Redirector) -> Self {
        withState { $0.made.redirector = redirector }
        return self
    }

    /// Adds an interceptor after those the request already has.
    @discardableResult
    public func interceptor(_ interceptor: any RequestInterceptor) -> Self {
        withState { $0.made.interceptors.append(interceptor) }
        return self
    }

    /// Adds an adapter after those the request already has.
    @discardableResult
    public func adapt(using adapter: any RequestAdapter) -> Self {
        interceptor(Interceptor(adapters: [adapter]))
    }

    /// Adds a retrier after those the request already has.
    @discardableResult
    public func retry(using retrier: any RequestRetrier) -> Self {
        interceptor(Interceptor(retriers: [retrier]))
    }
}

/// A request whose answer is kept in memory.
public class DataRequest: Request, @unchecked Sendable {
    // Safe because it adds nothing that changes.
}

/// A request whose body is made after its adapters ran.
public final class UploadRequest: DataRequest, @unchecked Sendable {
    // Safe because it adds nothing that changes.

    private let uploadable: @Sendable () throws -> Body

    init(
        session: Session, convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?, cause: RequestCause,
        uploadable: @escaping @Sendable () throws -> Body
    ) {
        self.uploadable = uploadable
        super.init(
            session: session, convertible: convertible, own: interceptor.map(OwnInterceptor.init),
            cause: cause)
    }

    override func completed(_ urlRequest: URLRequest) throws(AFError) -> URLRequest {
        do {
            var urlRequest = urlRequest
            urlRequest.body = try uploadable()
            notify { $0.request(self, didCreateUploadable: urlRequest.body) }
            return urlRequest
        } catch {
            let failure = error.asAFError { .createUploadableFailed(error: $0) }
            notify { $0.request(self, didFailToCreateUploadableWithError: failure) }
            throw failure
        }
    }
}

/// A request that carries a form.
struct FormRequest: URLRequestConvertible {
    let contentType: String
    let convertible: any URLRequestConvertible

    func asURLRequest() throws -> URLRequest {
        var urlRequest = try convertible.asURLRequest()
        urlRequest.headers.update(name: "Content-Type", value: contentType)
        return urlRequest
    }
}

/// Requests in the order in which they began: a list through the requests, which needs no array.
struct ActiveRequests: Sendable {
    // Safe without counting references because a request that goes leaves the list before.
    private var first: Unmanaged<Request>?
    private var last: Unmanaged<Request>?

    var all: [Request] {
        Array(
            sequence(state: first) { next in
                let request = next?.takeUnretainedValue()
                next = request?.nextActive
                return request
            })
    }

    mutating func insert(_ request: Request) {
        let own = Unmanaged.passUnretained(request)
        request.isActive = true
        request.previousActive = last
        if let last { last._withUnsafeGuaranteedRef { $0.nextActive = own } } else { first = own }
        last = own
    }

    mutating func remove(_ request: Request) {
        let (next, previous) = (request.nextActive, request.previousActive)
        guard request.isActive else { return }
        request.isActive = false
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.nextActive = next }
        } else {
            first = next
        }
        if let next {
            next._withUnsafeGuaranteedRef { $0.previousActive = previous }
        } else {
            last = previous
        }
        (request.nextActive, request.previousActive) = (nil, nil)
    }
}

/// Something that can build a request, as a router's case can.
public protocol URLRequestConvertible: Sendable {
    /// The request; called again for every attempt, so that it may carry a newer token.
    ///
    /// - Throws: what prevents the request from being built.
    func asURLRequest() throws -> URLRequest
}

extension URLRequest: URLRequestConvertible {
    /// The request itself.
    public func asURLRequest() -> URLRequest { self }
}
