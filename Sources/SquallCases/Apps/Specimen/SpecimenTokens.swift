import SquallClient
import SquallHTTP
import Synchronization

/// A specimen's tokens: one refresh at a time, and calls refused meanwhile wait for it, except for
/// its flaw.
final class SpecimenTokens: TokenKeeper {
    private typealias Completion = @Sendable (RetryResult) -> Void

    private struct State {
        var pair: TokenPair?
        var signIn = 0
        var isRefreshing = false
        var waiters: [Completion] = []
        /// The session keeps its interceptor, which is this.
        weak var session: Session?

        mutating func takeWaiters() -> [Completion] {
            defer { waiters = [] }
            return waiters
        }
    }

    private enum Decision {
        case retry, refresh, wait, fail
    }

    private let flaw: SpecimenFlaw?
    private let store: any TokenStore
    private let open: Session
    private let refresh: LSLPRefresh
    private let onExpiry: @Sendable () -> Void
    private let state = Mutex(State())

    /// How often a timer renews tokens, and for how many rounds: a specimen lives only briefly.
    private static let timer: (nanoseconds: Int64, rounds: Int) = (3_000_000_000, 4)
    /// How long tokens are used before they are on the disk.
    private static let delayNanoseconds: Int64 = 2_000_000_000

    init(
        _ flaw: SpecimenFlaw?, store: any TokenStore, open: Session, refresh: LSLPRefresh,
        onExpiry: @escaping @Sendable () -> Void
    ) {
        self.flaw = flaw
        self.store = store
        self.open = open
        self.refresh = refresh
        self.onExpiry = onExpiry
    }

    /// Sets the session that makes its requests.
    func use(_ session: Session) { state.withLock { $0.session = session } }

    /// Begins to renew the tokens by a timer, where that is the flaw.
    func begin() {
        guard flaw == .timerDies || flaw == .noJitter else { return }
        Task { await renewByTimer() }
    }

    func signIn(_ pair: TokenPair) {
        state.withLock { state in
            state.pair = pair
            state.signIn += 1
        }
    }

    func signOut() {
        let waiters = state.withLock { state in
            state.pair = nil
            state.signIn += 1
            return state.takeWaiters()
        }
        for waiter in waiters { waiter(.doNotRetry) }
    }

    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        if flaw == .ownInterceptor, urlRequest.url.path.hasSuffix("/refresh") { return urlRequest }
        guard let pair = await current() else {
            if flaw == .anonymous { return urlRequest }
            throw TokenError.signedOut
        }
        var urlRequest = urlRequest
        urlRequest.headers.update(name: "Authorization", value: pair.access)
        return urlRequest
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard request.response?.statusCode == 419,
            let token = request.request?.value(forHTTPHeaderField: "Authorization"),
            request.retryCount < 2 || flaw == .endless
        else { return completion(.doNotRetry) }
        let isTimed = flaw == .timerDies
        let decision = state.withLock { state in
            isTimed ? .fail : decide(&state, token, completion)
        }
        switch decision {
        case .retry: completion(.retry)
        case .fail: completion(.doNotRetry)
        case .wait: break
        case .refresh: Task { await renew(answering: completion) }
        }
    }
}

extension SpecimenTokens {
    private func decide(
        _ state: inout State, _ token: String, _ completion: @escaping Completion
    ) -> Decision {
        let isLate = state.pair.map { $0.access != token } ?? false
        if isLate, flaw != .lateRefusal, flaw != .everyRefusal { return .retry }
        let isAlone: [SpecimenFlaw?] = [.everyRefusal, .staleWrite, .failureWipes]
        if isAlone.contains(flaw) { return .refresh }
        guard !state.isRefreshing else {
            if flaw == .secondWaiterFails { return .fail }
            state.waiters.append(completion)
            return .wait
        }
        state.isRefreshing = true
        return .refresh
    }

    private func current() async -> TokenPair? {
        if let pair = state.withLock({ $0.pair }) { return pair }
        let (signIn, stored) = (state.withLock { $0.signIn }, await store.read())
        return state.withLock { state in
            if state.pair == nil, state.signIn == signIn { state.pair = stored }
            return state.pair
        }
    }

    /// Gets new tokens and lets all waiting calls go on.
    private func renew(answering completion: Completion?) async {
        let (pair, signIn, own) = state.withLock { ($0.pair, $0.signIn, $0.session) }
        guard let pair = pair else { return await failed(completion, isOver: false, signIn) }
        do {
            let session = flaw == .ownInterceptor ? own ?? open : open
            let newPair = try await refresh.newPair(for: pair, through: session)
            await succeeded(newPair, completion, signIn)
        } catch {
            let isOver = [418, 401].contains(error.asAFError?.responseCode)
            await failed(completion, isOver: isOver, signIn)
        }
    }

    private func succeeded(
        _ newPair: TokenPair, _ completion: Completion?, _ signIn: Int
    ) async {
        let isCurrent = state.withLock { state in
            if flaw == .gap { state.isRefreshing = false }
            return state.signIn == signIn
        }
        guard isCurrent || flaw == .zombie else { return finish(completion, .doNotRetry) }
        if flaw == .storesLate {
            Task { [store, open] in
                try? await open.environment.time.sleep(nanoseconds: Self.delayNanoseconds)
                await store.write(newPair)
            }
        } else {
            await store.write(newPair)
        }
        let isStillCurrent = state.withLock { state in
            guard state.signIn == signIn || flaw == .zombie else { return false }
            state.pair = newPair
            return true
        }
        if !isStillCurrent { await store.erase() }
        finish(completion, isStillCurrent ? .retry : .doNotRetry)
    }

    private func failed(_ completion: Completion?, isOver: Bool, _ signIn: Int) async {
        if isOver || flaw == .failureWipes || flaw == .anonymous {
            let isCurrent = state.withLock { state in
                guard state.signIn == signIn || flaw == .failureWipes else { return false }
                state.pair = nil
                return true
            }
            if isCurrent {
                await store.erase()
                if flaw != .anonymous { onExpiry() }
            }
        }
        if flaw == .forgetsWaiters {
            state.withLock { state in
                state.isRefreshing = false
                state.waiters = []
            }
            return
        }
        finish(completion, flaw == .anonymous ? .retry : .doNotRetry)
    }

    private func finish(_ completion: Completion?, _ result: RetryResult) {
        let waiters = state.withLock { state in
            state.isRefreshing = false
            return state.takeWaiters()
        }
        completion?(result)
        for waiter in waiters { waiter(result) }
    }

    private func renewByTimer() async {
        for _ in 0..<Self.timer.rounds {
            try? await open.environment.time.sleep(nanoseconds: Self.timer.nanoseconds)
            guard let pair = await current() else { return }
            let signIn = state.withLock { $0.signIn }
            do {
                let newPair = try await refresh.newPair(for: pair, through: open)
                await succeeded(newPair, nil, signIn)
            } catch {
                if flaw == .timerDies { return }
            }
        }
    }
}
