/// The rules of `TokenInterceptor` as a value: events go in, actions come out.
///
/// Actions are collected and taken with `takeActions()` after each event.
struct TokenMachine: Sendable {
    /// The state of the tokens.
    private enum Phase: Sendable {
        /// The store has not been read. The first need of a token does that.
        case unread
        /// The store is being read; ends in `ready` or, without a pair, in `signedOut`.
        case reading
        /// There is a pair. A refusal or an expiry makes it `refreshing`.
        case ready
        /// A refresh is under way. Success makes it `storing`, a rejection `signedOut`, and any
        /// other failure `ready`.
        case refreshing
        /// A new pair is being stored, which makes it `ready`.
        case storing(TokenPair)
        /// There is no pair, for this reason, until a user signs in.
        case signedOut(TokenError)
    }

    /// What the store is to hold.
    enum Write: Sendable {
        case pair(TokenPair)
        case nothing
    }

    enum Action: Sendable {
        case read(signIn: Int)
        case refresh(TokenPair, signIn: Int)
        case write
        case tell(TokenEvent)
        case release([Waiter], Result<Int, TokenError>)
    }

    /// Called with the number of the sign-in with the tokens that it may use.
    typealias Waiter = @Sendable (Result<Int, TokenError>) -> Void

    /// The pair that every request carries.
    private(set) var pair: TokenPair?
    /// The number of the pair's sign-in; a sign-out counts as one, too.
    private(set) var signIn = 0
    private var phase = Phase.unread
    /// True as soon as the pair's access token is known not to be accepted.
    private var isRefused = false
    private var due: Int64?
    private var waiters: [Waiter] = []
    private var history: RefreshHistory
    private var recentTokens = RecentTokens()
    private var pendingWrite: Write?
    private var isWriting = false
    private var actions: [Action] = []

    init(window: RefreshWindow?) { history = RefreshHistory(window: window) }

    mutating func takeActions() -> [Action] {
        defer { actions.removeAll() }
        return actions
    }

    /// The pair, if a request may carry it at once.
    func usablePair(at now: Int64) -> TokenPair? {
        guard let pair, !isRefused, due.map({ now < $0 }) ?? true else { return nil }
        return pair
    }

    /// A request needs a token; the waiter is told when it may go on.
    mutating func need(at now: Int64, _ waiter: @escaping Waiter) {
        switch phase {
        case .unread:
            phase = .reading
            waiters.append(waiter)
            actions.append(.read(signIn: signIn))
        case .reading: waiters.append(waiter)
        case .ready:
            if usablePair(at: now) != nil { return release([waiter]) }
            waitOrGo(waiter, at: now)
            beginRefresh(at: now)
        case .refreshing, .storing: waitOrGo(waiter, at: now)
        case .signedOut(let error): actions.append(.release([waiter], .failure(error)))
        }
    }

    /// During a refresh that is merely due, requests go on with the present token.
    private mutating func waitOrGo(_ waiter: @escaping Waiter, at now: Int64) {
        let isExpired = pair?.accessExpiry.map { $0 <= now } ?? false
        if isRefused || isExpired { waiters.append(waiter) } else { release([waiter]) }
    }

    /// A request that carried a token was refused; the waiter is told when it may be sent again.
    ///
    /// After its last attempt it may not.
    mutating func refused(
        token: String, isLast: Bool, at now: Int64, _ waiter: @escaping Waiter
    ) {
        if case .signedOut(let error) = phase { return fail(waiter, error) }
        guard recentTokens.signIn(of: token) == signIn else { return fail(waiter, .signedOut) }
        guard !isLast else { return fail(waiter, .refusedAgain) }
        // A late refusal: the token has been replaced since, so nothing needs to be refreshed.
        guard token == pair?.access else { return release([waiter]) }
        isRefused = true
        waiters.append(waiter)
        beginRefresh(at: now)
    }

    private mutating func fail(_ waiter: @escaping Waiter, _ error: TokenError) {
        actions.append(.release([waiter], .failure(error)))
    }

    private mutating func release(_ waiters: [Waiter]) {
        actions.append(.release(waiters, .success(signIn)))
    }

    private mutating func releaseAll(_ result: Result<Int, TokenError>) {
        actions.append(.release(waiters, result))
        waiters = []
    }

    private mutating func beginRefresh(at now: Int64) {
        guard case .ready = phase, let pair else { return }
        guard history.begin(at: now) else { return releaseAll(.failure(.refreshesTooOften)) }
        phase = .refreshing
        actions += [.tell(.refreshBegan), .refresh(pair, signIn: signIn)]
    }
}

/// Events of the store and the server, sign-ins and sign-outs.
extension TokenMachine {
    /// The store was read; the stored pair may be due already.
    mutating func readEnded(_ stored: TokenPair?, due: Int64?, signIn begun: Int, at now: Int64) {
        guard case .reading = phase, begun == signIn else { return }
        guard let stored else {
            phase = .signedOut(.signedOut)
            return releaseAll(.failure(.signedOut))
        }
        use(stored, due: due)
        let early = waiters
        waiters = []
        for waiter in early { need(at: now, waiter) }
    }

    /// A refresh succeeded; its tokens are used once they are stored.
    mutating func refreshEnded(with newPair: TokenPair, signIn begun: Int) {
        guard case .refreshing = phase, begun == signIn else { return }
        phase = .storing(newPair)
        write(.pair(newPair))
    }

    /// A refresh failed; a rejection means that the refresh token will never be accepted again.
    mutating func refreshFailed(_ error: any Error, isRejection: Bool, signIn begun: Int) {
        guard case .refreshing = phase, begun == signIn else { return }
        guard isRejection else {
            phase = .ready
            // Until a request is refused: otherwise every request would try again.
            due = nil
            actions.append(.tell(.refreshFailed))
            return releaseAll(.failure(.refreshFailed(error)))
        }
        actions.append(.tell(.sessionExpired))
        leave(.sessionExpired)
    }

    mutating func signIn(with newPair: TokenPair, due: Int64?) {
        leave(.signedOut)
        use(newPair, due: due)
        write(.pair(newPair))
    }

    mutating func signOut() { leave(.signedOut) }

    /// The next write; after `nil` the writing is over.
    mutating func nextWrite() -> Write? {
        isWriting = pendingWrite != nil
        defer { pendingWrite = nil }
        return pendingWrite
    }

    /// Everything is written; the due time is that of the pair being stored, if there is one.
    mutating func publish(due: Int64?) {
        guard case .storing(let newPair) = phase, !isWriting else { return }
        use(newPair, due: due)
        actions.append(.tell(.published))
        releaseAll(.success(signIn))
    }

    /// The pair that is being stored.
    var storing: TokenPair? {
        if case .storing(let pair) = phase { pair } else { nil }
    }

    /// True for a token of an earlier sign-in, with which a request must not be sent again.
    func isForeign(_ token: String) -> Bool {
        recentTokens.signIn(of: token).map { $0 != signIn } ?? false
    }

    /// How many of this sign-in's tokens are among some.
    func ownTokens(among tokens: [String]) -> Int {
        recentTokens.tokens(of: signIn).count { tokens.contains($0) }
    }

    private mutating func use(_ newPair: TokenPair, due: Int64?) {
        pair = newPair
        self.due = due
        isRefused = false
        phase = .ready
        recentTokens.append(newPair.access, signIn: signIn)
    }

    /// Forgets the tokens, here and in the store; a refresh under way no longer matters.
    private mutating func leave(_ reason: TokenError) {
        signIn += 1
        pair = nil
        due = nil
        phase = .signedOut(reason)
        write(.nothing)
        releaseAll(.failure(reason))
    }

    private mutating func write(_ write: Write) {
        pendingWrite = write
        if !isWriting { actions.append(.write) }
        isWriting = true
    }
}

/// The last access tokens and the sign-ins they belong to.
private struct RecentTokens: Sendable {
    private static let capacity = 8
    private var entries: [(token: String, signIn: Int)] = []

    mutating func append(_ token: String, signIn: Int) {
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((token, signIn))
    }

    func signIn(of token: String) -> Int? { entries.last { $0.token == token }?.signIn }

    func tokens(of signIn: Int) -> [String] {
        entries.filter { $0.signIn == signIn }.map(\.token)
    }
}
