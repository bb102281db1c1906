import SquallClient
import SquallHTTP
import Synchronization

/// A session whose network answers from a closure and whose sleeps take no time.
struct Stack: Sendable {
    let transport: FakeTransport
    let time = ImpatientTime()
    let log = EventLog()
    let session: Session

    init(
        _ transport: FakeTransport = FakeTransport(),
        interceptor: (any RequestInterceptor)? = nil,
        user: UInt64 = 0,
        configure: (inout SessionConfiguration) -> Void = { _ in }
    ) {
        var configuration = SessionConfiguration()
        configure(&configuration)
        let environment = SessionEnvironment(
            transport: transport, time: time, random: HashedRandomness(), eventMonitors: [log],
            configuration: configuration)
        self.transport = transport
        session = Session(environment: environment, user: user, interceptor: interceptor)
    }

    var environment: SessionEnvironment { session.environment }

    /// A GET of the test's address.
    func get(_ interceptor: (any RequestInterceptor)? = nil) -> DataRequest {
        session.request(URLRequest.test, interceptor: interceptor)
    }
}

extension URLRequest {
    static let test = URLRequest(url: WebURL(origin: "http://test", path: "/get"))

    static func test(_ method: HTTPMethod, body: String = "") -> URLRequest {
        URLRequest(url: test.url, method: method, body: Body(body))
    }
}

/// A list that anybody may append to.
final class Notes<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])
    var values: [Value] { state.withLock { $0 } }
    func append(_ value: Value) { state.withLock { $0.append(value) } }
}

/// An error of the tests' own.
struct TestError: Error, Hashable {
    var name = "test"
}

/// An interceptor whose forms are closures, and which counts its calls.
final class Probe: AsyncRequestInterceptor {
    typealias Adapt = @Sendable (URLRequest, Request) async throws -> URLRequest
    typealias Retry = @Sendable (Request, any Error) async -> RetryResult

    private let counts = Mutex<(adapts: Int, retries: Int)>((0, 0))
    let adaptClosure: Adapt
    let retryClosure: Retry

    init(
        adapt: @escaping Adapt = { request, _ in request },
        retry: @escaping Retry = { _, _ in .doNotRetry }
    ) {
        adaptClosure = adapt
        retryClosure = retry
    }

    /// Says so many times that the request is to be sent again, and then that it is not.
    convenience init(retries: Int, delay: Double? = nil) {
        self.init(retry: { request, _ in
            guard request.retryCount < retries else { return .doNotRetry }
            return delay.map(RetryResult.retryWithDelay) ?? .retry
        })
    }

    /// Retries once, and cannot adapt that attempt.
    static func failingToAdaptRetry() -> Probe {
        Probe(
            adapt: { request, owner in
                if owner.retryCount == 1 { throw TestError() }
                return request
            }, retry: { request, _ in request.retryCount == 0 ? .retry : .doNotRetry })
    }

    var adapts: Int { counts.withLock { $0.adapts } }
    var consults: Int { counts.withLock { $0.retries } }

    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        counts.withLock { $0.adapts += 1 }
        return try await adaptClosure(urlRequest, request)
    }

    func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        counts.withLock { $0.retries += 1 }
        return await retryClosure(request, error)
    }
}
