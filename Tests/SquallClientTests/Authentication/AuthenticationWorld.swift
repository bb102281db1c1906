import SquallHTTP
import SquallKernel
import Synchronization

@testable import SquallClient

/// A credential with a number.
struct TestCredential: AuthenticationCredential, Hashable {
    var access = "a0"
    var requiresRefresh = false
}

/// An authenticator that counts what it is asked, and whose refreshes take a tenth of a second.
final class TestAuthenticator: Authenticator {
    /// How often each method was called.
    struct Counts: Hashable, Sendable {
        var apply = 0
        var refresh = 0
        var didRequest = 0
        var isRequest = 0
    }

    private struct State {
        var counts = Counts()
        var results: [Result<TestCredential, TestError>]
    }

    private let state: Mutex<State>
    private let seconds: Double?
    private let dropsCompletion: Bool
    /// What the task of a refresh goes on with when that has ended.
    let afterwards = Mutex<(@Sendable () async -> Void)?>(nil)

    /// Refreshes with the n-th result, then with `a<n>`; at once when `seconds` is `nil`.
    init(
        seconds: Double? = 0.1, results: [Result<TestCredential, TestError>] = [],
        dropsCompletion: Bool = false
    ) {
        state = Mutex(State(results: results))
        self.seconds = seconds
        self.dropsCompletion = dropsCompletion
    }

    var counts: Counts { state.withLock { $0.counts } }

    func apply(_ credential: TestCredential, to urlRequest: inout URLRequest) {
        state.withLock { $0.counts.apply += 1 }
        urlRequest.headers.update(name: "Authorization", value: credential.access)
    }

    func refresh(
        _ credential: TestCredential, for session: Session,
        completion: @escaping @Sendable (Result<TestCredential, any Error>) -> Void
    ) {
        let result = state.withLock { state in
            state.counts.refresh += 1
            guard state.results.isEmpty else { return state.results.removeFirst() }
            return .success(TestCredential(access: "a\(state.counts.refresh)"))
        }
        guard !dropsCompletion else { return }
        guard let seconds else { return completion(result.mapError { $0 }) }
        Task {
            try? await session.environment.time.sleep(nanoseconds: Int64(seconds * 1e9))
            completion(result.mapError { $0 })
            let next = afterwards.withLock { next in
                defer { next = nil }
                return next
            }
            await next?()
        }
    }

    func didRequest(
        _: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError _: any Error
    ) -> Bool {
        state.withLock { $0.counts.didRequest += 1 }
        return response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: TestCredential) -> Bool {
        state.withLock { $0.counts.isRequest += 1 }
        return urlRequest.headers.value(for: "Authorization") == credential.access
    }
}

/// A world whose server accepts some tokens, and an `AuthenticationInterceptor` in it.
struct AuthenticationWorld {
    let world: Simulated
    let authenticator: TestAuthenticator
    let interceptor: AuthenticationInterceptor<TestAuthenticator>
    let ended = Notes<String>()

    /// A world whose server takes a hundredth of a second to say `status` to a token.
    init(
        authenticator: TestAuthenticator = TestAuthenticator(),
        credential: TestCredential? = TestCredential(),
        window: RefreshWindow? = RefreshWindow(),
        late: (send: Int, seconds: Double)? = nil,
        status: @escaping @Sendable (_ token: String) -> Int = { _ in 200 }
    ) {
        self.authenticator = authenticator
        interceptor = AuthenticationInterceptor(
            authenticator: authenticator, credential: credential, refreshWindow: window)
        world = Simulated(latency: 0.01, late: late) { request, _ in
            .status(status(request.headers.value(for: "Authorization") ?? ""))
        }
    }

    var counts: TestAuthenticator.Counts { authenticator.counts }
    /// The tokens that were sent, in order.
    var tokens: [String] {
        world.transport.requests.map { $0.headers.value(for: "Authorization") ?? "none" }
    }

    /// Sends a request and notes its outcome and how often it was sent again: `200 +1`.
    func fetch() async {
        let request = world.session(interceptor).request(URLRequest.test).validate()
        let response = await request.serializingResponse().response
        var outcome = response.error?.label ?? "\(response.response?.statusCode ?? 0)"
        if let error = response.error?.underlyingError as? TestError { outcome += "." + error.name }
        ended.append("\(outcome) +\(request.retryCount)")
    }

    /// Sends so many requests at once and lets the world come to rest.
    func storm(_ count: Int) throws {
        try world.run {
            for _ in 0..<count { Task { await fetch() } }
        }
    }

    /// Lets a body run, and then the world come to rest.
    func run(_ body: @escaping @Sendable () async -> Void) throws { try world.run(body) }

    func sleep(_ seconds: Double) async {
        try? await world.simulation.sleep(nanoseconds: Int64(seconds * 1e9))
    }
}
