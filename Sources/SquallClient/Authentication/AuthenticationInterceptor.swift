public import SquallHTTP
import Synchronization

/// Puts a credential on requests and refreshes it, for all of them at once, when it is refused.
///
/// Alamofire's rules, also where they do less: it does not ask about transport errors, it counts
/// successful refreshes against its window, and a refresh that goes through it waits for itself,
/// which is reported as `LostCompletion.Place.ownRefresh`. When a refresh's completion is dropped,
/// each waiting request is reported as having lost its own.
/// `TokenInterceptor` is the design without these limits.
public final class AuthenticationInterceptor<AuthenticatorType: Authenticator>: RequestInterceptor {
    /// The type that is put on requests.
    public typealias Credential = AuthenticatorType.Credential

    private let authenticator: AuthenticatorType
    private let machine: Mutex<AuthenticationMachine<Credential>>

    /// An interceptor with its first credential.
    ///
    /// - Parameters:
    ///   - authenticator: knows the program's tokens.
    ///   - credential: the one that is put on requests; without one every request fails.
    ///   - refreshWindow: how many refreshes are too many; `nil` for no limit.
    public init(
        authenticator: AuthenticatorType, credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.authenticator = authenticator
        machine = Mutex(AuthenticationMachine(credential: credential, window: refreshWindow))
    }

    /// The credential that is put on requests; set it after a sign-in.
    public var credential: Credential? {
        get { machine.withLock { $0.credential } }
        set { machine.withLock { $0.credential = newValue } }
    }

    /// Puts the credential on a request, after a refresh if one is due.
    public func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        perform(DeferredAdapt(urlRequest: urlRequest, session: session, completion: completion))
    }

    /// Asks for the request to be sent again if its credential was not accepted.
    public func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard isRefused(request, dueTo: error), let urlRequest = request.request else {
            return completion(.doNotRetry)
        }
        guard let known = machine.withLock({ $0.snapshot }) else {
            return completion(.doNotRetryWithError(AuthenticationError.missingCredential))
        }
        guard authenticator.isRequest(urlRequest, authenticatedWith: known.credential) else {
            return completion(.retry)
        }
        let now = session.environment.time.uptimeNanoseconds
        let action = machine.withLock { $0.retry(completion, known, at: now) }
        switch action {
        case .proceed: completion(.retry)
        case .fail(let error): completion(.doNotRetryWithError(error))
        case .wait: break
        case .refresh(let credential): refresh(credential, for: session)
        case .refuse(let waiters): waiters.fail(with: AuthenticationError.excessiveRefresh)
        }
    }

    private func isRefused(_ request: Request, dueTo error: any Error) -> Bool {
        guard let urlRequest = request.request, let response = request.response else {
            return false
        }
        return authenticator.didRequest(
            urlRequest, with: response, failDueToAuthenticationError: error)
    }

    private func perform(_ adapt: DeferredAdapt) {
        switch machine.withLock({ $0.adapt(adapt) }) {
        case .proceed(let credential):
            var urlRequest = adapt.urlRequest
            authenticator.apply(credential, to: &urlRequest)
            adapt.completion(.success(urlRequest))
        case .fail(let error): adapt.completion(.failure(error))
        case .wait: break
        case .refresh(let credential): refresh(credential, for: adapt.session)
        case .refuse(let waiters): waiters.fail(with: AuthenticationError.excessiveRefresh)
        }
    }

    /// Refreshes in a task of its own, so that neither the lock nor the caller is held meanwhile.
    private func refresh(_ credential: Credential, for session: Session) {
        Task {
            let ending = RefreshEnding(
                whenCalled: { self.refreshEnded($0) },
                whenDropped: { _ = self.machine.withLock { $0.lose() } })
            RefreshScope.$owner.withValue(ObjectIdentifier(self)) {
                authenticator.refresh(credential, for: session) { ending.end(with: $0) }
            }
        }
    }

    private func refreshEnded(_ result: Result<Credential, any Error>) {
        switch result {
        case .success(let credential):
            let waiters = machine.withLock { $0.end(with: credential) }
            for adapt in waiters.adapts { perform(adapt) }
            for retry in waiters.retries { retry(.retry) }
        case .failure(let error):
            machine.withLock { $0.end(with: error) }.fail(with: error)
        }
    }
}

/// A refresh that sends a request which then waits for it.
extension AuthenticationInterceptor {
    /// Calls the form with a completion, unless the request could then never be sent.
    ///
    /// - Throws: what prevents the request from being sent.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        let waitsForItself =
            isWithinRefresh && machine.withLock { $0.waitsForItself && $0.defersAdapting }
        guard waitsForItself else { return try await adaptByCompletion(urlRequest, of: request) }
        throw await lost(request)
    }

    /// Calls the form with a completion, unless the request would then wait for itself.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        let waitsForItself =
            isWithinRefresh && machine.withLock { $0.waitsForItself }
            && isRefused(request, dueTo: error)
        guard waitsForItself else { return await retryByCompletion(request, dueTo: error) }
        return .doNotRetryWithError(await lost(request))
    }

    private var isWithinRefresh: Bool { RefreshScope.owner == ObjectIdentifier(self) }

    private func lost(_ request: Request) async -> LostCompletionError {
        await OneShot<Void>.value(
            for: request, at: .ownRefresh, in: Self.self,
            endsWhenCancelled: request.endsWhenCancelled
        ) { _ in }
        return LostCompletionError(lost: LostCompletion(place: .ownRefresh, in: Self.self))
    }
}

/// What a refresh's completion holds; freed with its last copy.
private final class RefreshEnding<Credential: Sendable>: Sendable {
    private let whenCalled: @Sendable (Result<Credential, any Error>) -> Void
    private let whenDropped: @Sendable () -> Void
    private let isCalled = Atomic<Bool>(false)

    init(
        whenCalled: @escaping @Sendable (Result<Credential, any Error>) -> Void,
        whenDropped: @escaping @Sendable () -> Void
    ) {
        self.whenCalled = whenCalled
        self.whenDropped = whenDropped
    }

    func end(with result: Result<Credential, any Error>) {
        isCalled.store(true, ordering: .relaxed)
        whenCalled(result)
    }

    deinit {
        if !isCalled.load(ordering: .relaxed) { whenDropped() }
    }
}

/// The interceptor with the refresh that the running task belongs to.
enum RefreshScope {
    @TaskLocal static var owner: ObjectIdentifier?
}
