import SquallClient
import SquallHTTP
import Synchronization

/// A declared app's tokens: puts them on calls, notices expiry and refreshes, as its design says.
final class DeclaredTokens: RequestInterceptor {
    /// How a refresh ended, for the calls that wait for it.
    enum Ending: Sendable {
        case refreshed
        case failed(DeclaredTokenError)
        /// Calls that wait get no response.
        case forgotten
    }

    /// A call that waits for a refresh.
    private struct Waiter {
        /// True if its clock asked for the refresh, not a refusal.
        let isOfClock: Bool
        let then: @Sendable (Ending) -> Void
    }

    private struct State {
        var pair: TokenPair?
        /// The values of the cookies that guard them, by the cookies' names.
        var guards: [String: String] = [:]
        /// Counts sign-ins and sign-outs: a refresh of an earlier one changes nothing.
        var signIn = 0
        /// The last access token of the session before this one.
        var ended: String?
        var isRefreshing = false
        var hasRefreshed = false
        /// The moment that the server has named for the next refresh, on the device's clock.
        var notBefore = Int64.min
        /// The moment until which the design itself sends none after one that failed.
        var heldUntil = Int64.min
        /// The access token that was refused and dropped.
        var dropped: String?
        /// The refresh token that has failed, where another way follows.
        var spent: String?
        var waiters: [Waiter] = []

        mutating func end() {
            ended = pair?.access ?? ended
            (pair, guards) = (nil, [:])
            (notBefore, heldUntil) = (.min, .min)
            signIn += 1
        }
    }

    let wire: TokenForm
    let design: DeclaredTokenDesign
    /// Sends refreshes; also gives the time and the randomness.
    let open: Session
    let origin: String
    let credentials: @Sendable () -> Credentials
    private let state = Mutex(State())

    /// No tokens yet; `open` is a session without this as its interceptor.
    init(
        _ wire: TokenForm, _ design: DeclaredTokenDesign, origin: String, open: Session,
        credentials: @escaping @Sendable () -> Credentials
    ) {
        self.wire = wire
        self.design = design
        self.open = open
        self.origin = origin
        self.credentials = credentials
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

    /// Repeats the guard cookie beside a token in a request that writes.
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

    /// Most calls need not wait, and so need no completion.
    func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        if let adapted = adapted(urlRequest) { return adapted }
        return try await adaptByCompletion(urlRequest, of: request)
    }

    /// The call as it can be sent now; `nil` where it waits, be it for ever.
    private func adapted(_ urlRequest: URLRequest) -> URLRequest? {
        guard !isTokenCall(urlRequest) else { return urlRequest }
        guard let pair else { return design.forgets.contains(.noTokens) ? nil : urlRequest }
        guard design.notices.contains(.clock), let need = need(of: pair),
            need == .must || !isRefreshing
        else { return stamped(urlRequest) }
        return nil
    }

    func adapt(
        _ urlRequest: URLRequest, for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        if let adapted = adapted(urlRequest) { return completion(.success(adapted)) }
        // Without tokens, the call is forgotten.
        guard let pair, let need = need(of: pair) else { return }
        renew(isOfClock: true, through: session) { [self] ending in
            switch ending {
            case .refreshed: completion(.success(stamped(urlRequest)))
            case .failed where need == .should: completion(.success(stamped(urlRequest)))
            case .failed(let error): completion(.failure(error))
            case .forgotten: break
            }
        }
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
        guard noticesExpiry(of: request, error), !isUnsent(error),
            design.asksTwice || !isVerdict(error)
        else { return completion(.doNotRetry) }
        if let resends = design.resends, request.retryCount >= resends {
            if design.forgets.contains(.resendLimit) { return }
            return completion(answer(to: .expiredAgain))
        }
        // A call of an earlier sign-in gets none of this one's tokens, if the design compares them.
        if design.isSingleFlight, isOfEarlierSession(request) {
            return completion(answer(to: .signedOut))
        }
        if !design.refreshesLate, isReplaced(in: request) { return completion(again(request)) }
        if design.dropsRefused {
            state.withLock { $0.dropped = $0.pair?.access }
            return completion(again(request))
        }
        renew(isOfClock: false, through: session) { [self] ending in
            switch ending {
            case .refreshed: completion(again(request))
            case .failed(let error): completion(answer(to: error))
            case .forgotten: break
            }
        }
    }
}

extension DeclaredTokens {
    private func isTokenCall(_ request: URLRequest) -> Bool {
        wire.refresh.isMade(by: request)
    }

    private enum Need {
        /// It is near enough to its end that one call should refresh.
        case should
        /// It counts as expired.
        case must
    }

    /// The need for a refresh by the clock; `nil` for a token that is good.
    private func need(of pair: TokenPair) -> Need? {
        if design.dropsRefused, state.withLock({ $0.dropped }) == pair.access { return .must }
        guard let expiry = pair.accessExpiry else { return nil }
        let left = expiry - open.environment.time.nanosecondsSinceEpoch
        let ordinal = UInt64(bitPattern: expiry)
        let drawn = draw("client.declared.ahead", ordinal, upTo: design.aheadJitterNanoseconds)
        if left <= design.aheadNanoseconds - drawn { return .must }
        let advisory = design.advisoryNanoseconds
        return advisory > 0 && left <= advisory ? .should : nil
    }

    private func noticesExpiry(of request: Request, _ error: any Error) -> Bool {
        guard request.response?.statusCode == wire.expired.status else { return false }
        if design.notices.contains(.status) || design.notices.contains(.decoding) { return true }
        guard case .responseValidationFailed(.customValidationFailed(let reason)) = error.asAFError
        else { return false }
        return design.notices.contains(.body) && reason is DeclaredExpiry
    }

    /// True for a call that was not sent since its refresh failed: its last response is of an
    /// earlier try.
    private func isUnsent(_ error: any Error) -> Bool {
        guard case .requestAdaptationFailed(let own) = error.asAFError else { return false }
        return own is DeclaredTokenError
    }

    /// True for an error that is this design's own decision on an earlier retry.
    private func isVerdict(_ error: any Error) -> Bool {
        guard case .requestRetryFailed(let own, _) = error.asAFError else { return false }
        return own is DeclaredTokenError
    }

    /// True if the token that a request was refused with is no longer the one that calls carry.
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

    /// A number below a limit that belongs to a purpose, the user and an ordinal.
    private func draw(_ purpose: StaticString, _ ordinal: UInt64, upTo limit: Int64) -> Int64 {
        guard limit > 0 else { return 0 }
        let bits = open.environment.random.bits(purpose, user: open.user, ordinal: ordinal)
        return Int64(bits % UInt64(limit))
    }

    private func again(_ request: Request) -> RetryResult {
        let ordinal = UInt64(request.number) << 16 | UInt64(request.retryCount)
        let delay =
            design.resendDelayNanoseconds
            + draw("client.declared.resend", ordinal, upTo: design.resendJitterNanoseconds)
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

extension DeclaredTokens {
    private var isRefreshing: Bool {
        design.isSingleFlight && state.withLock { $0.isRefreshing }
    }

    private func renew(
        isOfClock: Bool, through session: Session,
        then: @escaping @Sendable (Ending) -> Void
    ) {
        let waiter = Waiter(isOfClock: isOfClock, then: then)
        let begins = state.withLock { state in
            guard design.isSingleFlight else { return true }
            state.waiters.append(waiter)
            defer { state.isRefreshing = true }
            return !state.isRefreshing
        }
        guard begins else { return }
        let session = design.refreshNotices ? session : open
        Task { [self] in
            var ending = await refresh(design.renewal, through: session)
            guard design.isSingleFlight else { return waiter.then(ending) }
            while let next = release(by: ending) {
                ending = await refresh(next, through: session)
            }
        }
    }

    /// Lets the call that refreshed go on, and those behind it that need no refresh of their own;
    /// returns how the next of them renews, if one does.
    private func release(by ending: Ending) -> DeclaredTokenDesign.Renewal? {
        let (released, next) = state.withLock { state in
            let last = state.waiters.dropFirst().firstIndex {
                renewal(of: $0, after: ending, state.pair) != nil
            }
            let next = last.flatMap { renewal(of: state.waiters[$0], after: ending, state.pair) }
            let released = state.waiters[..<(last ?? state.waiters.count)]
            state.waiters.removeFirst(released.count)
            state.isRefreshing = next != nil
            return (Array(released), next)
        }
        released[0].then(ending)
        for waiter in released.dropFirst() { waiter.then(ending) }
        return next
    }

    /// The renewal of a waiting call after another one's refresh; `nil` when it goes on as that
    /// did.
    private func renewal(
        of waiter: Waiter, after ending: Ending, _ pair: TokenPair?
    ) -> DeclaredTokenDesign.Renewal? {
        let (waiting, isGood) =
            switch ending {
            case .refreshed: (design.waitersAfterSuccess, true)
            case .failed(.signedOut), .forgotten: (.takeResult, false)
            case .failed: (design.waitersAfterFailure, false)
            }
        guard let pair else { return nil }
        switch waiting {
        case .takeResult: return nil
        case .refresh: return design.renewal
        case .signIn: return .signIn
        case .lookAgain:
            guard waiter.isOfClock else { return isGood ? nil : design.renewal }
            return need(of: pair) == .must ? design.renewal : nil
        }
    }

    private func refresh(
        _ renewal: DeclaredTokenDesign.Renewal, through session: Session
    ) async -> Ending {
        let (pair, signIn) = state.withLock { ($0.pair, $0.signIn) }
        guard let pair else { return .failed(.signedOut) }
        guard !isTooEarly else { return .failed(.refreshFailed(.refused)) }
        guard wire.hasRefreshTokens || renewal != .refreshToken else {
            return take(.failed(FailedTry(failure: .dead, status: nil)), signIn)
        }
        let isSpent = state.withLock { $0.spent } == pair.refresh
        let renewal = wire.hasRefreshTokens && !isSpent ? renewal : .signIn
        var outcome = await ask(with: pair, by: renewal, through: session)
        var tries = 1
        if design.probes, case .failed = outcome, !state.withLock({ $0.hasRefreshed }) {
            outcome = await ask(with: pair, by: renewal, through: session)
        }
        while case .failed(let failed) = outcome, !isTooEarly,
            let pause = failed.pause(after: tries, of: design)
        {
            try? await open.environment.time.sleep(nanoseconds: pause)
            outcome = await ask(with: pair, by: renewal, through: session)
            tries += 1
        }
        if renewal == .refreshTokenThenSignIn, case .failed(let failed) = outcome,
            failed.failure != .lost
        {
            state.withLock { $0.spent = pair.refresh }
            outcome = await ask(with: pair, by: .signIn, through: session)
        }
        return take(outcome, signIn)
    }

    /// True if the server has asked for no refresh before a moment to come; designs without single
    /// flight keep nothing of a refresh, nor this.
    private var isTooEarly: Bool {
        let now = open.environment.time.nanosecondsSinceEpoch
        let (named, held) = state.withLock { ($0.notBefore, $0.heldUntil) }
        return now < held || design.isSingleFlight && design.heedsRetryAfter && now < named
    }

    /// Notes the moment that a response names for the next refresh.
    func note(_ response: HTTPURLResponse) {
        let now = open.environment.time.nanosecondsSinceEpoch
        guard let pause = response.retryAfterSeconds(now: now / 1_000_000_000) else { return }
        state.withLock { $0.notBefore = now + Int64(max(0, min(pause, 1e9)) * 1e9) }
    }

    private func take(_ outcome: RefreshOutcome, _ signIn: Int) -> Ending {
        switch outcome {
        case .renewed(let pair, let guards, let isUsable):
            let isCurrent = state.withLock { state in
                // Without single flight nothing stops a refresh of a session that is over.
                guard state.signIn == signIn || !design.isSingleFlight else { return false }
                (state.pair, state.hasRefreshed) = (pair, true)
                state.guards.merge(guards) { $1 }
                return true
            }
            guard isCurrent else { return .failed(.signedOut) }
            return isUsable ? .refreshed : .failed(.noLifetime)
        case .failed(let failed):
            let failure = failed.failure
            if let forgotten = failure.forgotten, design.forgets.contains(forgotten) {
                return .forgotten
            }
            if let hold = failed.row(of: design)?.hold, hold > 0 {
                let end = open.environment.time.nanosecondsSinceEpoch + hold
                state.withLock { $0.heldUntil = max($0.heldUntil, end) }
            }
            if design.failedRefresh.endsSession(by: failure) { signOut(of: signIn) }
            return .failed(.refreshFailed(failure))
        }
    }

    private func signOut(of signIn: Int) {
        state.withLock { state in
            guard state.signIn == signIn || !design.isSingleFlight else { return }
            state.end()
        }
    }
}
