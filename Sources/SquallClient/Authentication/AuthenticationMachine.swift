import SquallHTTP

/// The rules of `AuthenticationInterceptor` as a value: events go in, actions come out.
struct AuthenticationMachine<Credential: AuthenticationCredential>: Sendable {
    /// The state of refreshing.
    private enum State: Sendable {
        /// None is under way, and the last one, if any, succeeded. A need for one begins it.
        case idle
        /// One is under way; its end releases the waiting requests, into `idle` or `failed`.
        case refreshing
        /// The last one failed. Retries get its error until a request is adapted, which makes it
        /// `idle`, or until a proactive refresh begins.
        case failed(any Error)
    }

    /// What happens with the request that was asked about.
    enum Action: Sendable {
        /// It is sent, or sent again, with this credential.
        case proceed(Credential)
        /// It fails.
        case fail(any Error)
        /// It waits.
        case wait
        /// It waits, and a refresh of this credential begins.
        case refresh(Credential)
        /// It waits for a refresh that may not begin: all waiting requests fail.
        case refuse(Waiters)
    }

    /// A credential as it was at some moment.
    struct Snapshot: Sendable {
        let credential: Credential
        fileprivate let version: Int
    }

    /// The credential that is put on requests; every assignment counts as a change.
    var credential: Credential? {
        didSet { version += 1 }
    }
    private var version = 0
    /// The state at `stateVersion`.
    ///
    /// Setting the credential since then has made it `idle`, even while a refresh is under way, so
    /// that another can begin.
    private var state = State.idle
    /// The credential's version when the state was last set.
    private var stateVersion = 0
    private var waiters = Waiters()
    private var history: RefreshHistory
    /// Refreshes that have begun and not ended; there can be several.
    private var refreshesInFlight = 0
    /// True once the refresh under way can never end: no request is kept waiting for it.
    private var isLost = false
    /// True if requests that were to be adapted waited for it: later ones wait like them, for ever.
    private var hasLostAdapts = false

    init(credential: Credential?, window: RefreshWindow?) {
        self.credential = credential
        history = RefreshHistory(window: window)
    }

    var snapshot: Snapshot? {
        credential.map { Snapshot(credential: $0, version: version) }
    }

    /// True if a request that is to be adapted would wait for the refresh under way.
    var defersAdapting: Bool { isRefreshing && (!waiters.adapts.isEmpty || hasLostAdapts) }

    var isRefreshing: Bool { if case .refreshing = current { true } else { false } }

    /// True if a request of the refresh under way can come to wait for that very refresh.
    var waitsForItself: Bool { refreshesInFlight <= 1 && isRefreshing }

    private var current: State { stateVersion == version ? state : .idle }

    private mutating func enter(_ next: State) {
        state = next
        stateVersion = version
    }

    /// A request is about to be sent.
    mutating func adapt(_ waiter: DeferredAdapt) -> Action {
        guard !defersAdapting else {
            if !isLost { waiters.adapts.append(waiter) }
            return .wait
        }
        guard let credential else { return .fail(AuthenticationError.missingCredential) }
        if credential.requiresRefresh, !isRefreshing {
            waiters.adapts.append(waiter)
            return begin(credential, at: waiter.session.environment.time.uptimeNanoseconds)
        }
        if case .failed = state { enter(.idle) }
        return .proceed(credential)
    }

    /// A request failed that carried the credential of a snapshot.
    mutating func retry(
        _ waiter: @escaping DeferredRetry, _ known: Snapshot, at nanoseconds: Int64
    ) -> Action {
        if let credential, version != known.version { return .proceed(credential) }
        if case .failed(let error) = current { return .fail(error) }
        let isRefreshing = isRefreshing
        if !isLost || !isRefreshing { waiters.retries.append(waiter) }
        return isRefreshing ? .wait : begin(known.credential, at: nanoseconds)
    }

    private mutating func begin(_ credential: Credential, at nanoseconds: Int64) -> Action {
        guard history.begin(at: nanoseconds) else {
            return .refuse(release(into: .failed(AuthenticationError.excessiveRefresh)))
        }
        enter(.refreshing)
        refreshesInFlight += 1
        (isLost, hasLostAdapts) = (false, false)
        return .refresh(credential)
    }

    /// A refresh succeeded.
    ///
    /// - Returns: the requests that may go on; adapts must ask again.
    mutating func end(with credential: Credential) -> Waiters {
        refreshesInFlight = max(0, refreshesInFlight - 1)
        self.credential = credential
        return release(into: .idle)
    }

    /// A refresh failed; the credential is kept.
    ///
    /// - Returns: the requests that fail with it.
    mutating func end(with error: any Error) -> Waiters {
        refreshesInFlight = max(0, refreshesInFlight - 1)
        return release(into: .failed(error))
    }

    /// A refresh under way can never end: if it is the only one, no request is kept waiting for it.
    ///
    /// - Returns: the waiting requests, to be released outside of any lock.
    mutating func lose() -> Waiters {
        refreshesInFlight = max(0, refreshesInFlight - 1)
        guard refreshesInFlight == 0 else { return Waiters() }
        isLost = true
        hasLostAdapts = !waiters.adapts.isEmpty
        return takeWaiters()
    }

    private mutating func release(into next: State) -> Waiters {
        enter(next)
        return takeWaiters()
    }

    private mutating func takeWaiters() -> Waiters {
        defer { waiters = Waiters() }
        return waiters
    }

    /// Requests that wait for a refresh, in the order in which they came.
    struct Waiters: Sendable {
        var adapts: [DeferredAdapt] = []
        var retries: [DeferredRetry] = []

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

/// The decision of a failed request's retrier once a refresh is over.
typealias DeferredRetry = @Sendable (RetryResult) -> Void
