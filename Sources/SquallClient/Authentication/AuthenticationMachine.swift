import SquallHTTP

/// The rules of `AuthenticationInterceptor` as a value: what happened goes in, what is to be done
/// comes out.
struct AuthenticationMachine<Credential: AuthenticationCredential>: Sendable {
    /// Where a refresh stands.
    private enum State: Sendable {
        /// None is under way, and the last one, if any, succeeded. A need for one begins it.
        case idle
        /// One is under way; its end releases whoever waits, into `idle` or `failed`.
        case refreshing
        /// The last one failed. Retries get its error until a request is adapted, which makes it
        /// `idle`, or until a proactive refresh begins.
        case failed(any Error)
    }

    /// What is to be done with the request that was asked about.
    enum Action: Sendable {
        /// It is sent, or sent again, with this credential.
        case proceed(Credential)
        /// It fails.
        case fail(any Error)
        /// It waits.
        case wait
        /// It waits, and a refresh of this credential begins.
        case refresh(Credential)
        /// It waits for a refresh that may not begin: everybody who waits fails.
        case refuse(Waiters)
    }

    /// A credential as it was at some moment.
    struct Snapshot: Sendable {
        let credential: Credential
        fileprivate let version: Int
    }

    /// What is put on requests; every assignment counts as a change.
    var credential: Credential? {
        didSet { version += 1 }
    }
    private var version = 0
    private var state = State.idle
    private var waiters = Waiters()
    private var history: RefreshHistory
    /// Whether the refresh under way can never end, and if so, whether adapts waited for it.
    private var isLost = false
    private var hasLostAdapts = false

    init(credential: Credential?, window: RefreshWindow?) {
        self.credential = credential
        history = RefreshHistory(window: window)
    }

    /// The credential now; `nil` when there is none.
    var snapshot: Snapshot? {
        credential.map { Snapshot(credential: $0, version: version) }
    }

    /// Whether a request that is to be adapted would wait for the refresh under way.
    func defersAdapting(_ rules: LibraryBehaviour.AuthenticationRules) -> Bool {
        isRefreshing && (rules == .forgetful || !waiters.adapts.isEmpty || hasLostAdapts)
    }

    var isRefreshing: Bool {
        if case .refreshing = state { true } else { false }
    }

    /// A request is about to be sent.
    mutating func adapt(
        _ waiter: DeferredAdapt, _ rules: LibraryBehaviour.AuthenticationRules
    ) -> Action {
        guard !defersAdapting(rules) else {
            if !isLost { waiters.adapts.append(waiter) }
            return .wait
        }
        guard let credential else { return .fail(AuthenticationError.missingCredential) }
        if credential.requiresRefresh, !isRefreshing {
            waiters.adapts.append(waiter)
            return begin(credential, at: waiter.session.environment.time.nanosecondsSinceEpoch)
        }
        if case .failed = state { state = .idle }
        return .proceed(credential)
    }

    /// A request failed that carried the credential of a snapshot.
    mutating func retry(
        _ waiter: @escaping DeferredRetry, _ known: Snapshot,
        _ rules: LibraryBehaviour.AuthenticationRules, at nanoseconds: Int64
    ) -> Action {
        if rules == .remembering {
            if let credential, version != known.version { return .proceed(credential) }
            if case .failed(let error) = state { return .fail(error) }
        }
        if !isLost { waiters.retries.append(waiter) }
        return isRefreshing ? .wait : begin(known.credential, at: nanoseconds)
    }

    private mutating func begin(_ credential: Credential, at nanoseconds: Int64) -> Action {
        guard history.begin(at: nanoseconds) else {
            return .refuse(end(with: AuthenticationError.excessiveRefresh))
        }
        state = .refreshing
        return .refresh(credential)
    }

    /// A refresh succeeded.
    ///
    /// - Returns: who may go on, adapts to be asked about anew.
    mutating func end(with credential: Credential) -> Waiters {
        self.credential = credential
        return release(into: .idle)
    }

    /// A refresh failed; the credential is kept.
    ///
    /// - Returns: who fails with it.
    mutating func end(with error: any Error) -> Waiters { release(into: .failed(error)) }

    /// The refresh under way can never end: nobody is kept waiting for it.
    ///
    /// - Returns: who waits, to be let go of outside of any lock.
    mutating func lose() -> Waiters {
        isLost = true
        hasLostAdapts = !waiters.adapts.isEmpty
        return release(into: state)
    }

    private mutating func release(into next: State) -> Waiters {
        state = next
        defer { waiters = Waiters() }
        return waiters
    }

    /// Requests that wait for a refresh, in the order in which they came.
    struct Waiters: Sendable {
        var adapts: [DeferredAdapt] = []
        var retries: [DeferredRetry] = []

        /// Tells all of them that it failed.
        func fail(with error: any Error) {
            for adapt in adapts { adapt.completion(.failure(error)) }
            for retry in retries { retry(.doNotRetryWithError(error)) }
        }
    }
}

/// A request that is to be adapted once a refresh is over.
struct DeferredAdapt: Sendable {
    let urlRequest: URLRequest
    let session: Session
    let completion: @Sendable (Result<URLRequest, any Error>) -> Void
}

/// What a failed request's retrier says once a refresh is over.
typealias DeferredRetry = @Sendable (RetryResult) -> Void
