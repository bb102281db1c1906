import SquallClient
import SquallHTTP
import Synchronization

/// A declared app's tokens: puts them on calls, notices expiry and refreshes, as its design says.
final class DeclaredTokens: RequestInterceptor {
    /// How a refresh ended, for the calls that wait for it.
    enum Ending: Sendable {
        case refreshed
        case failed(DeclaredTokenError)
        /// Calls that wait get no answer.
        case forgotten
    }

    typealias Waiter = @Sendable (Ending) -> Void

    private struct State {
        var pair: TokenPair?
        /// The values of the cookies that guard them, by the cookies' names.
        var guards: [String: String] = [:]
        /// Counts sign-ins and sign-outs: a refresh of an earlier one changes nothing.
        var signIn = 0
        /// The last access token of the session before this one.
        var ended: String?
        var isRefreshing = false
        /// The moment that the server has named for the next refresh, on the device's clock.
        var notBefore = Int64.min
        var waiters: [Waiter] = []

        mutating func end() {
            ended = pair?.access ?? ended
            (pair, guards) = (nil, [:])
            notBefore = .min
            signIn += 1
        }
    }

    let wire: TokenForm
    let design: DeclaredTokenDesign
    /// Sends refreshes; also gives the time.
    let open: Session
    private let refreshURL: WebURL
    private let state = Mutex(State())

    /// No tokens yet; `open` is a session without this as its interceptor.
    init(_ wire: TokenForm, _ design: DeclaredTokenDesign, origin: String, open: Session) {
        self.wire = wire
        self.design = design
        self.open = open
        refreshURL = WebURL(origin: origin, path: wire.refresh.path, query: wire.refresh.query)
    }

    /// The tokens that calls carry now.
    var pair: TokenPair? { state.withLock { $0.pair } }

    /// Uses new tokens from now on, and the cookies that guard them.
    func signIn(_ pair: TokenPair, _ guards: [String: String] = [:]) {
        state.withLock { state in
            state.end()
            (state.pair, state.guards) = (pair, guards)
        }
    }

    /// Repeats in a request that writes what the cookie beside a token says.
    func showGuard(of token: String, isAccess: Bool, in request: inout URLRequest) {
        guard wire.csrf != nil else { return }
        wire.showGuard(
            of: token, isAccess: isAccess, state.withLock { $0.guards }, in: &request)
    }

    /// Forgets the tokens and returns them.
    func signOut() -> TokenPair? {
        state.withLock { state in
            defer { state.end() }
            return state.pair
        }
    }

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard !isTokenCall(urlRequest) else { return completion(.success(urlRequest)) }
        guard let pair else {
            if design.forgets.contains(.noTokens) { return }
            return completion(.success(urlRequest))
        }
        guard design.notices.contains(.clock), isDue(pair) else {
            return completion(.success(stamped(urlRequest)))
        }
        renew(through: session) { [self] _ in completion(.success(stamped(urlRequest))) }
    }

    /// A call that was cancelled while it waited for a refresh is not sent again: it ends.
    func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        let result = await retryByCompletion(request, dueTo: error)
        return Task.isCancelled ? .doNotRetry : result
    }

    func retry(
        _ request: Request, for session: Session, dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard noticesExpiry(of: request, error), design.asksTwice || !isVerdict(error) else {
            return completion(.doNotRetry)
        }
        if let resends = design.resends, request.retryCount >= resends {
            if design.forgets.contains(.resendLimit) { return }
            return completion(answer(to: .expiredAgain))
        }
        // A call of an earlier sign-in gets none of this one's tokens, if the design compares them.
        if design.isSingleFlight, isOfEarlierSession(request) {
            return completion(answer(to: .signedOut))
        }
        if !design.refreshesLate, isReplaced(in: request) { return completion(again) }
        renew(through: session) { [self] ending in
            switch ending {
            case .refreshed: completion(again)
            case .failed(let error): completion(answer(to: error))
            case .forgotten: break
            }
        }
    }
}

/// What is noticed.
extension DeclaredTokens {
    private func isTokenCall(_ request: URLRequest) -> Bool {
        wire.refresh.isMade(by: request)
    }

    private func isDue(_ pair: TokenPair) -> Bool {
        guard let expiry = pair.accessExpiry else { return false }
        return open.environment.time.nanosecondsSinceEpoch >= expiry - design.aheadNanoseconds
    }

    private func noticesExpiry(of request: Request, _ error: any Error) -> Bool {
        guard request.response?.statusCode == wire.expired.status else { return false }
        if design.notices.contains(.status) || design.notices.contains(.decoding) { return true }
        guard case .responseValidationFailed(.customValidationFailed(let reason)) = error.asAFError
        else { return false }
        return design.notices.contains(.body) && reason is DeclaredExpiry
    }

    /// Whether the error is this design's own answer to an earlier retry.
    private func isVerdict(_ error: any Error) -> Bool {
        guard case .requestRetryFailed(let own, _) = error.asAFError else { return false }
        return own is DeclaredTokenError
    }

    /// Whether the token that a request was refused with is no longer the one that calls carry.
    private func isReplaced(in request: Request) -> Bool {
        guard let pair, let sent = request.request, !isTokenCall(sent) else { return false }
        return !wire.access.shows(pair.access, in: sent)
    }

    private func isOfEarlierSession(_ request: Request) -> Bool {
        guard let ended = state.withLock({ $0.ended }), let sent = request.request else {
            return false
        }
        return wire.access.shows(ended, in: sent)
    }

    private var again: RetryResult {
        let delay = design.resendDelayNanoseconds
        return delay > 0 ? .retryWithDelay(Double(delay) / 1e9) : .retry
    }

    private func answer(to error: DeclaredTokenError) -> RetryResult {
        design.asksTwice ? .doNotRetry : .doNotRetryWithError(error)
    }

    private func stamped(_ urlRequest: URLRequest) -> URLRequest {
        var urlRequest = urlRequest
        if let pair {
            wire.access.show(pair.access, in: &urlRequest)
            showGuard(of: pair.access, isAccess: true, in: &urlRequest)
        }
        return urlRequest
    }
}

/// Refreshing.
extension DeclaredTokens {
    private func renew(through session: Session, then waiter: @escaping Waiter) {
        let begins = state.withLock { state in
            guard design.isSingleFlight else { return true }
            state.waiters.append(waiter)
            defer { state.isRefreshing = true }
            return !state.isRefreshing
        }
        guard begins else { return }
        Task { [self] in
            let ending = await refresh(through: design.refreshNotices ? session : open)
            guard design.isSingleFlight else { return waiter(ending) }
            let waiters = state.withLock { state in
                defer { (state.isRefreshing, state.waiters) = (false, []) }
                return state.waiters
            }
            for waiter in waiters { waiter(ending) }
        }
    }

    private func refresh(through session: Session) async -> Ending {
        let (pair, signIn) = state.withLock { ($0.pair, $0.signIn) }
        guard let pair else { return .failed(.signedOut) }
        guard !isTooEarly else { return .failed(.refreshFailed(.refused)) }
        guard wire.hasRefreshTokens else { return take(.failed(.dead), signIn) }
        var outcome = await ask(with: pair, through: session)
        for _ in 1..<max(1, design.refreshAttempts) {
            guard case .failed = outcome, !isTooEarly else { break }
            try? await open.environment.time.sleep(nanoseconds: design.refreshDelayNanoseconds)
            outcome = await ask(with: pair, through: session)
        }
        return take(outcome, signIn)
    }

    /// Whether the server has asked for no refresh before a moment to come; designs without single
    /// flight keep nothing of a refresh, nor this.
    private var isTooEarly: Bool {
        design.isSingleFlight
            && open.environment.time.nanosecondsSinceEpoch < state.withLock { $0.notBefore }
    }

    private func note(_ response: HTTPURLResponse) {
        let now = open.environment.time.nanosecondsSinceEpoch
        guard let pause = response.retryAfterSeconds(now: now / 1_000_000_000) else { return }
        state.withLock { $0.notBefore = now + Int64(max(0, min(pause, 1e9)) * 1e9) }
    }

    private func take(_ outcome: RefreshOutcome, _ signIn: Int) -> Ending {
        switch outcome {
        case .renewed(let pair, let guards):
            let isCurrent = state.withLock { state in
                // Without single flight nothing stops a refresh of a session that is over.
                guard state.signIn == signIn || !design.isSingleFlight else { return false }
                state.pair = pair
                state.guards.merge(guards) { $1 }
                return true
            }
            return isCurrent ? .refreshed : .failed(.signedOut)
        case .failed(let failure):
            if let forgotten = failure.forgotten, design.forgets.contains(forgotten) {
                return .forgotten
            }
            if ends(failure) { signOut(of: signIn) }
            return .failed(.refreshFailed(failure))
        }
    }

    private func ends(_ failure: DeclaredTokenError.Failure) -> Bool {
        switch design.failedRefresh {
        case .signOut: true
        case .signOutWhenDead: failure == .dead
        case .keep: false
        }
    }

    private func signOut(of signIn: Int) {
        state.withLock { state in
            guard state.signIn == signIn || !design.isSingleFlight else { return }
            state.end()
        }
    }

    private enum RefreshOutcome {
        case renewed(TokenPair, [String: String])
        case failed(DeclaredTokenError.Failure)
    }

    private func ask(with pair: TokenPair, through session: Session) async -> RefreshOutcome {
        var urlRequest = URLRequest(url: refreshURL, method: wire.refresh.method)
        wire.refresh.show(pair.refresh, in: &urlRequest)
        if wire.refresh.showsAccess { wire.access.show(pair.access, in: &urlRequest) }
        showGuard(of: pair.refresh, isAccess: false, in: &urlRequest)
        let request = session.request(urlRequest).validate(statusCode: 200...299)
        let way = wire.delivery
        if way.isInBody {
            let answer = await request.serializingDecodable(DeclaredTokenAnswer.self).response
            return outcome(of: answer, tokens(in: answer.value, answer.response, by: way), pair)
        }
        let answer = await request.serializingResponse().response
        return outcome(of: answer, tokens(in: nil, answer.response, by: way), pair)
    }

    private func outcome<Value>(
        of answer: DataResponse<Value>, _ tokens: DeclaredTokenSet?, _ old: TokenPair
    ) -> RefreshOutcome {
        guard let response = answer.response else { return .failed(.lost) }
        let status = response.statusCode
        if [429, 503].contains(status) { note(response) }
        if wire.endings.contains(where: { $0.status == status }) { return .failed(.dead) }
        guard (200...299).contains(status) else { return .failed(.refused) }
        guard let tokens else { return .failed(.unreadable) }
        return .renewed(tokens.pair(keeping: old.refresh), tokens.guards)
    }
}
