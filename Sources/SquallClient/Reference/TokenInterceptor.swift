public import SquallHTTP
import Synchronization

/// The reference for a program's handling of tokens: right in every interleaving.
///
/// - **One refresh at a time.** Requests that are refused, or made, while one is under way wait for
///   it. It runs in a task of its own: no request's cancellation ends it.
/// - **A late refusal refreshes nothing.** A request refused with a token that has been replaced is
///   sent again with the new one.
/// - **New tokens are stored, both at once, before any request uses them.** A refresh that ends
///   after a sign-out is thrown away, and the store ends with the last decision.
/// - **Only a rejected refresh token signs out**, and is reported once. No network failure, no 5xx
///   and no 429 does.
/// - **Replays are bounded.** A request is sent with at most `replaysMax` + 1 different tokens, and
///   never with those of another sign-in.
/// - **A refresh cannot wait for itself.** It goes through a session of its own, and a request that
///   it makes elsewhere passes through here unchanged.
/// - **Tokens can be refreshed before they expire**, spread by a jitter, while requests go on.
///
/// ```swift
/// let tokens = TokenInterceptor(store: store, refreshSession: Session(environment: environment)) {
///     pair, session in
///     try await session.request(Router.refresh(pair)).validate()
///         .serializingDecodable(TokenAnswer.self).value.pair
/// }
/// let session = Session(environment: environment, interceptor: tokens)
/// ```
public final class TokenInterceptor: AsyncRequestInterceptor {
    /// Gets new tokens for a pair, through a session that adds no tokens.
    ///
    /// What it throws goes to `TokenRules.isRejection`.
    public typealias Refresh = @Sendable (TokenPair, Session) async throws -> TokenPair

    private let store: any TokenStore
    private let refreshSession: Session
    private let rules: TokenRules
    private let tell: @Sendable (TokenEvent) -> Void
    private let refresh: Refresh
    private let machine: Mutex<TokenMachine>

    /// An interceptor for one user's sessions.
    ///
    /// - Parameters:
    ///   - store: where the tokens are kept; read when the first request needs one.
    ///   - refreshSession: sends the refresh; also gives the time and the jitter.
    ///   - rules: the rules of the protocol.
    ///   - onEvent: is told what happens to the tokens, at once.
    ///   - refresh: gets new tokens.
    public init(
        store: any TokenStore, refreshSession: Session, rules: TokenRules = TokenRules(),
        onEvent: @escaping @Sendable (TokenEvent) -> Void = { _ in },
        refresh: @escaping Refresh
    ) {
        self.store = store
        self.refreshSession = refreshSession
        self.rules = rules
        tell = onEvent
        self.refresh = refresh
        machine = Mutex(TokenMachine(window: rules.refreshWindow))
    }

    /// Uses new tokens from now on; requests made with earlier ones are not sent again.
    public func signIn(_ pair: TokenPair) {
        let due = dueTime(of: pair)
        apply { $0.signIn(with: pair, due: due) }
    }

    /// Forgets the tokens; requests made with them are not sent again.
    ///
    /// The store is emptied a little later, behind a write that may be under way.
    public func signOut() { apply { $0.signOut() } }

    /// Puts the access token on a request, after waiting for one if need be.
    ///
    /// - Throws: `TokenError` without a token, `CancellationError` when cancelled.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        guard !isWithinRefresh else { return urlRequest }
        if request.retryCount > 0 { try checkSignIn(of: request) }
        let now = now
        if let pair = machine.withLock({ $0.usablePair(at: now) }) {
            return rules.stamp(pair, on: urlRequest)
        }
        let signIn = try await wait(for: request, at: .adapt) { machine, waiter in
            machine.need(at: now, waiter)
        }
        let pair = machine.withLock { $0.signIn == signIn ? $0.pair : nil }
        guard let pair else { throw TokenError.signedOut }
        return rules.stamp(pair, on: urlRequest)
    }

    /// Asks for a refused request to be sent again, after a refresh if its token is current.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        guard !isWithinRefresh, !isVerdict(error), let token = refusedToken(of: request) else {
            return .doNotRetry
        }
        let now = now
        do {
            _ = try await wait(for: request, at: .retry) { machine, waiter in
                let replays = machine.ownTokens(among: self.tokens(of: request)) - 1
                machine.refused(
                    token: token, isLast: replays >= self.rules.replaysMax, at: now, waiter)
            }
            return .retry
        } catch is CancellationError {
            return .doNotRetry
        } catch {
            return .doNotRetryWithError(error)
        }
    }
}

/// The tokens on requests.
extension TokenInterceptor {
    /// The token of a request whose answer says that it has expired.
    private func refusedToken(of request: Request) -> String? {
        guard let response = request.response, rules.isExpired(response.statusCode),
            let urlRequest = request.request
        else { return nil }
        return rules.token(on: urlRequest)
    }

    private func tokens(of request: Request) -> [String] {
        request.requests.compactMap(rules.token)
    }

    /// Keeps a request of one sign-in from being sent again within another.
    private func checkSignIn(of request: Request) throws(TokenError) {
        let tokens = tokens(of: request)
        let isForeign = machine.withLock { machine in tokens.contains(where: machine.isForeign) }
        if isForeign { throw .signedOut }
    }

    /// True for an error that is this interceptor's own decision on an earlier retry.
    private func isVerdict(_ error: any Error) -> Bool {
        guard case .requestRetryFailed(let own, _) = error.asAFError else { return false }
        return own is TokenError
    }
}

/// The shell: performs the machine's actions.
extension TokenInterceptor {
    private var now: Int64 { refreshSession.environment.time.nanosecondsSinceEpoch }
    private var isWithinRefresh: Bool { RefreshScope.owner == ObjectIdentifier(self) }

    /// Waits until the machine releases a request; a cancelled one leaves at once.
    private func wait(
        for request: Request, at place: LostCompletion.Place,
        _ event: @escaping (inout TokenMachine, @escaping TokenMachine.Waiter) -> Void
    ) async throws -> Int {
        let result = await OneShot<Result<Int, TokenError>>.value(
            for: request, at: place, in: Self.self, endsWhenCancelled: true
        ) { waiter in
            RequestCause.retrying(request.number) { apply { event(&$0, waiter) } }
        }
        guard let result else { throw CancellationError() }
        return try result.get()
    }

    private func apply(_ event: (inout TokenMachine) -> Void) {
        let actions = machine.withLock { machine in
            event(&machine)
            return machine.takeActions()
        }
        for action in actions { perform(action) }
    }

    private func perform(_ action: TokenMachine.Action) {
        switch action {
        case .read(let signIn): Task { await read(signIn) }
        case .refresh(let pair, let signIn): Task { await refresh(pair, signIn) }
        case .write: Task { await write() }
        case .tell(let event): tell(event)
        case .release(let waiters, let result): for waiter in waiters { waiter(result) }
        }
    }

    private func read(_ signIn: Int) async {
        let pair = await store.read()
        let (due, now) = (pair.flatMap(dueTime), now)
        apply { $0.readEnded(pair, due: due, signIn: signIn, at: now) }
    }

    private func refresh(_ pair: TokenPair, _ signIn: Int) async {
        // Between the decision and the first turn of this task the user may have signed out.
        guard machine.withLock({ $0.signIn == signIn }) else { return }
        do {
            let newPair = try await RefreshScope.$owner.withValue(ObjectIdentifier(self)) {
                try await refresh(pair, refreshSession)
            }
            apply { $0.refreshEnded(with: newPair, signIn: signIn) }
        } catch {
            let isRejection = rules.isRejection(error)
            apply { $0.refreshFailed(error, isRejection: isRejection, signIn: signIn) }
        }
    }

    /// Writes until the store holds the last decision, and only then lets new tokens be used.
    private func write() async {
        while let write = machine.withLock({ $0.nextWrite() }) {
            switch write {
            case .pair(let pair): await store.write(pair)
            case .nothing: await store.erase()
            }
        }
        let due = machine.withLock { $0.storing }.flatMap(dueTime)
        apply { $0.publish(due: due) }
    }

    /// When a pair is to be refreshed without a refusal; the jitter is the pair's own.
    private func dueTime(of pair: TokenPair) -> Int64? {
        guard let expiry = pair.accessExpiry, let proactive = rules.proactive else { return nil }
        let bits = refreshSession.environment.random.bits(
            "client.tokens.proactive", user: refreshSession.user,
            ordinal: UInt64(bitPattern: expiry))
        return proactive.dueTime(expiry: expiry, bits: bits)
    }
}
