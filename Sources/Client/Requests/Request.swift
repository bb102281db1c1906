public import HTTP
internal import Synchronization

/// A logical request: however often it is sent, it is one of these.
public class Request: @unchecked Sendable {
    // Safe because everything that changes is in a Mutex.

    /// The session that made it.
    public let session: Session
    /// The request's number in its session, from 0.
    public var number: UInt32 { cause.request }

    let convertible: any URLRequestConvertible
    let interceptor: (any RequestInterceptor)?
    let cause: RequestCause
    private let state = Mutex(State())

    struct State: Sendable {
        var retryCount: UInt32 = 0
        /// Whether it was let go after a completion was lost; nobody is asked about it any more.
        var isReleased = false
        var validators: [Validator] = []
        var request: URLRequest?
        var response: HTTPURLResponse?
        var error: AFError?
    }

    init(
        session: Session, convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?, cause: RequestCause
    ) {
        self.session = session
        self.convertible = convertible
        self.interceptor = interceptor
        self.cause = cause
    }

    /// How often the request has been sent again so far.
    public var retryCount: UInt { UInt(state.withLock { $0.retryCount }) }
    /// The request as it was last built and adapted.
    public var request: URLRequest? { state.withLock { $0.request } }
    /// The head of the last attempt's answer.
    public var response: HTTPURLResponse? { state.withLock { $0.response } }
    /// The error of the last attempt.
    public var error: AFError? { state.withLock { $0.error } }

    func withState<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        state.withLock { body(&$0) }
    }
}

extension Request {
    /// Notes that the request will never end, and tells the monitors at once.
    func park(at place: LostCompletion, release: @escaping @Sendable () -> Void) {
        let parked = ParkedRequest(
            user: cause.user, request: cause.request, url: request?.url.absoluteString ?? "",
            lost: place, release: release)
        let environment = session.environment
        environment.parked.withLock { $0[cause.user << 32 | UInt64(cause.request)] = parked }
        for monitor in environment.eventMonitors { monitor.request(self, didLose: place) }
    }

    /// Tells the monitors that a completion was called once too often.
    func reportSecondCall(of place: LostCompletion) {
        for monitor in session.environment.eventMonitors {
            monitor.request(self, didCallAgain: place)
        }
    }
}

/// A check of an answer before anybody reads it.
enum Validator: Sendable {
    case statusCodes(ClosedRange<Int>)
    case custom(@Sendable (URLRequest?, HTTPURLResponse, Body) -> Result<Void, any Error>)

    func error(_ request: URLRequest?, _ response: HTTPURLResponse, _ body: Body) -> AFError? {
        switch self {
        case .statusCodes(let accepted):
            guard !accepted.contains(response.statusCode) else { return nil }
            return .responseValidationFailed(
                reason: .unacceptableStatusCode(code: response.statusCode))
        case .custom(let check):
            guard case .failure(let error) = check(request, response, body) else { return nil }
            return .responseValidationFailed(reason: .customValidationFailed(error: error))
        }
    }
}
