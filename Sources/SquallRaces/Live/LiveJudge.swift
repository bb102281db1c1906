public import SquallBackend
import SquallFormat
public import SquallHTTP
import SquallJudge
public import SquallKernel

/// Judges clients outside the simulation by what their requests show, as it happens.
///
/// It is its backend's observer, and requests enter through it:
///
/// ```swift
/// let judge = LiveJudge(simulation)
/// let backend = Backend(…, observer: judge)
/// judge.attach(to: backend)
/// judge.exchange(request, connection: 7) { result in … }
/// for finding in judge.newFindings() { print(finding.sentence) }
/// ```
///
/// Promises are those of explorations, told event by event; what is settled is forgotten, so that
/// neither time nor memory grows with a session's age. A response counts as known to an app only
/// where its client cannot have begun a call before: a call already under way is never an
/// accusation. Refreshes are counted by `SessionExpiry`, as everywhere.
public final class LiveJudge: BackendObserver, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    /// The simulated seconds that pass in one of its clients'.
    public var speed = 1.0 {
        didSet {
            pace = LivePace(speed: speed)
            patience = FollowUpPatience(stretchedBy: speed)
        }
    }
    private(set) var pace = LivePace(speed: 1)
    private(set) var patience = FollowUpPatience()
    /// The header field by which clients may name their user; `nil` for none.
    public var nameField: String? = "X-Squall-User"
    /// True if tokens of an unknown issuer make a user, as behind a server of which only a part of
    /// its life was seen.
    public var adoptsUnknownTokens = false
    /// True for calls that sign out: the service's token form says so, or the proxy before a real
    /// one.
    public var isSignOut: (Endpoint, URLRequest) -> Bool = { _, _ in false }
    /// The account that a request signs in to, as far as it says so itself; `isClient` for a client
    /// of the service rather than a person: all its processes are one user.
    public var signsIn: (URLRequest) -> (account: UInt64, isClient: Bool)? = { _ in nil }

    /// The scope or audience for which a request asks, where it names one.
    public var asksFor: (URLRequest) -> UInt64? = { _ in nil }

    /// What the session has shown so far.
    @exclusivity(unchecked) public internal(set) var summary = LiveSummary()
    /// Everything that was found, in order; at most ``findingsMax``.
    @exclusivity(unchecked) public internal(set) var findings: [LiveFinding] = []
    /// More different findings than this are only counted.
    public static let findingsMax = 500

    /// An observer that is told what the judge is told.
    public var follower: (any BackendObserver)?
    @exclusivity(unchecked) var recent = RecentRequests()
    /// Called with each reply of the server.
    public var serverLog: (ServerRecord) -> Void = { _ in }
    /// Where the findings of the chapter begin.
    @exclusivity(unchecked) private var chapterStart = 0

    let simulation: Simulation
    @exclusivity(unchecked) private(set) var looksAgain: EventHandler?
    private unowned(unsafe) var backend: Backend?
    @exclusivity(unchecked) var users = LiveUsers()
    @exclusivity(unchecked) var tokens = LiveTokens()
    @exclusivity(unchecked) var seen: Set<RaceInvariant> = []
    /// The reasons for which promises could not be judged, by their identifiers.
    @exclusivity(unchecked) var arguable: [String: String] = [:]
    /// Those of the chapter.
    @exclusivity(unchecked) var doubts: [String: String] = [:]
    /// Refusals in a drill that were not followed up.
    @exclusivity(unchecked) var heldBack: [() -> Void] = []
    /// The moment until which clients may still act on what they saw while the server stood still.
    @exclusivity(unchecked) private(set) var blindUntil = Int64.min
    /// True if their client refreshed when its token was due by the clock.
    @exclusivity(unchecked) var wasRenewedByClock = false
    @exclusivity(unchecked) private var accounts: [UInt64: LiveAccount] = [:]
    @exclusivity(unchecked) var broken: [String: Int] = [:]
    /// Findings by promise, user and cause.
    @exclusivity(unchecked) var places: [FindingKey: Int] = [:]
    @exclusivity(unchecked) private var told = 0
    /// Only grows; positions of events for the watches.
    @exclusivity(unchecked) private(set) var moment = 0
    @exclusivity(unchecked) private var names: [Int32: String] = [:]
    /// The endpoints that were called with a token, by number.
    @exclusivity(unchecked) var guarded: Set<Int32> = []

    struct FindingKey: Hashable {
        let promise: String
        let user: UInt64
        let cause: String
    }

    /// A judge of what happens in a simulation.
    public init(_ simulation: Simulation) {
        self.simulation = simulation
        looksAgain = simulation.register { [unowned self] in looksAgain(at: $0) }
    }

    /// Names the backend whose observer it is, which must outlive it.
    public func attach(to backend: Backend) { self.backend = backend }

    /// Takes a request from outside at the present instant, for the user whom it shows.
    ///
    /// `connection` tells its connection from others, where that is known; `began` is when its
    /// first byte came, where that was earlier.
    ///
    /// `told` is told the outcome once, from inside the simulation.
    @discardableResult
    public func exchange(
        _ request: URLRequest, connection: UInt64? = nil, began: Int64? = nil,
        told: @escaping (Result<TransportResponse, TransportError>) -> Void
    ) -> Backend.LiveExchange {
        guard let backend else { preconditionFailure("a judge without a backend") }
        var sender = RequestCause()
        return backend.exchange(
            request,
            cause: { sight in
                sender = cause(of: sight, request, connection: connection, began: began)
                return sender
            },
            told: { [unowned self] result in
                noteWait(result, of: sender)
                told(result)
            })
    }

    /// Names the sender of a request, for `Backend.exchange`.
    public func cause(
        of sight: Backend.RequestPreview, _ request: URLRequest, connection: UInt64? = nil,
        began: Int64? = nil
    ) -> RequestCause {
        if users.isFull { forgetUsers() }
        let user = user(of: sight, request, connection)
        users.note(connection, carries: user.origin)
        user.source = (connection, began)
        defer { user.requests &+= 1 }
        return RequestCause(user: user.number, request: user.requests)
    }

    /// Forgets the users who were not seen for longest; their numbers are others' from now on.
    private func forgetUsers() {
        let forgotten = users.makeRoom()
        for user in forgotten { tokens.forget(user) }
        let numbers = Set(forgotten.map(\.number))
        places = places.filter { !numbers.contains($0.key.user) }
    }

    /// A connection has ended; `isUnread` where its client left what it was sent unread.
    public func closed(connection: UInt64, isUnread: Bool = false) {
        if isUnread, let user = users.user(onConnection: connection),
            user.refreshedOn == connection
        {
            user.mayLackTokens = true
        }
        users.closed(connection)
    }

    private func user(
        of sight: Backend.RequestPreview, _ request: URLRequest, _ connection: UInt64?
    ) -> LiveUser {
        let owner = owner(of: sight.shows)
        if let nameField,
            let name = request.value(forHTTPHeaderField: nameField)?.keptFromOutside()
        {
            // An app may name its user in some of its requests alone.
            if let origin = owner?.origin, !origin.isNamed { users.give(origin, the: name) }
            let named = users.user(named: name)
            let user = owner.flatMap { $0.origin === named ? $0 : nil } ?? named
            return line(of: user, request, sight.endpoint)
        }
        if let owner { return line(of: owner, request, sight.endpoint) }
        if let shows = sight.shows, let session = backend?.session(of: shows) {
            if let user = users.user(of: session) { return user }
            let user = users.add()
            gotTokens(user, session)
            return user
        }
        let beside = users.user(onConnection: connection)
        if sight.endpoint.role == .signIn {
            if let account = signsIn(request) { return user(signingInTo: account, beside) }
            return beside.map { $0.tokens.isEmpty ? $0 : users.add() } ?? users.add()
        }
        if LiveTokens.hasPlaceholder(sight.shows, sight.endpoint) {
            // Where there is one user alone, that one has lost the token.
            return beside ?? users.only ?? users[0] ?? users.add()
        }
        if adoptsUnknownTokens, sight.shows?.access ?? sight.shows?.refresh != nil {
            return beside ?? users.add()
        }
        return beside ?? users[0] ?? users.add()
    }

    /// The line of a user to which a request belongs.
    private func line(of user: LiveUser, _ request: URLRequest, _ endpoint: Endpoint) -> LiveUser {
        guard endpoint.role == .refresh else { return user }
        let now = simulation.now.nanoseconds
        let isOver = tokens[user.origin.newest].map {
            $0.isRefused || $0.life.isDue(at: now) ?? false
        }
        return users.line(of: user, for: asksFor(request), isOver: isOver ?? true)
    }

    /// The user of an account that a request signs in to: all processes of a client of the service
    /// are one user.
    private func user(
        signingInTo account: (account: UInt64, isClient: Bool), _ beside: LiveUser?
    ) -> LiveUser {
        let known = accounts[account.account].flatMap { users[$0.latest] }
        if let known, account.isClient || known.isPool { return known }
        let user = beside.flatMap { $0.tokens.isEmpty ? $0 : nil } ?? users.add()
        user.account = account.account
        if account.isClient {
            withAccount(of: user) { ($0.latest, $0.isClient) = (user.number, true) }
        }
        return user
    }

    /// The user who got the tokens that a request shows.
    private func owner(of shows: TokenTexts?) -> LiveUser? {
        for case let text? in [shows?.access, shows?.refresh] {
            if let token = tokens[TokenNumber(text: text)], let user = users[token.user] {
                return user
            }
        }
        return nil
    }

    /// The client was ended by whoever plays it: that the next one signs in is not its decision.
    func clientWasReplaced() {
        for user in users.all.values {
            user.failedRefresh = nil
            user.staleRepeats.isSettled()
        }
    }

    /// The clock went on, and nothing reached the server or its clients meanwhile: what they do
    /// about that is not judged (LiveArguableTests.stoodStill).
    public func stoodStill() {
        blindUntil = simulation.now.nanoseconds + pace.queue
        for user in users.all.values { user.forgetsUnsettled() }
    }

    /// Begins a chapter: what is broken again in it is a finding of its own.
    public func beginChapter() {
        chapterStart = findings.count
        (places, doubts, wasRenewedByClock) = ([:], [:], false)
    }

    /// The findings of the chapter.
    public var chapter: ArraySlice<LiveFinding> { findings[chapterStart...] }

    /// The name of a user in findings.
    func name(ofUser number: UInt64) -> String { users[number]?.name ?? Self.nameless }

    static let nameless = "a client without a token"

    /// When the latest token of these users ends by what was said of it; `nil` where that is not
    /// known.
    func statedEnd(ofUsers numbers: Set<UInt64>) -> Int64? {
        numbers.compactMap { tokens[users[$0]?.newest]?.life.expiry }.max()
    }

    /// The calls that have shown a token, by name.
    public var guardedCalls: [String] { guarded.compactMap { names[$0] }.sorted() }

    /// The findings since this was last asked.
    public func newFindings() -> [LiveFinding] {
        defer { told = findings.count }
        return Array(findings[told...])
    }

    /// The verdict on each promise that requests can show.
    public var verdicts: [LiveVerdict] {
        LiveJudge.promises.map { promise in
            let count = broken[promise.id, default: 0]
            let rest: LiveVerdict.Outcome =
                arguable[promise.id].map { .notJudged($0) }
                ?? (seen.contains(promise) ? .kept : .notObserved)
            return LiveVerdict(promise: promise, outcome: count > 0 ? .broken(count) : rest)
        }
    }

    /// The number of users who have not renewed a token since it was refused as expired.
    public var openExpiries: Int {
        users.all.values.count { $0.followUp.isOpen || $0.staleRepeats.since != nil }
    }

    /// How long the server responds to a refresh token that it has exchanged as to a good one, in
    /// nanoseconds; `nil` where it does not.
    ///
    /// Where it does so for good, as long as a client's other pages need to look again.
    var reuseWindow: Int64? {
        switch backend?.tokenPolicy.refresh {
        case _ where adoptsUnknownTokens: nil
        case .rotatingWithLeeway(let window, _), .rotatingWithReplay(let window, _): window
        case .rotatingCoexist, .rotatingUntilUsed: pace.queue
        case .coexist, .early409, .rotatingStrict, .oneShot, .once, nil: nil
        }
    }

    /// Looks at or changes what is known of a user's account.
    @discardableResult
    func withAccount<Value>(of user: LiveUser, _ body: (inout LiveAccount) -> Value) -> Value? {
        guard let account = user.account else { return nil }
        if accounts.count >= LiveUsers.usersMax, accounts[account] == nil { accounts = [:] }
        return body(&accounts[account, default: LiveAccount(first: user.number)])
    }

    /// What a user has sent and got lately, a line for each.
    func timeline(of user: LiveUser, from requests: [Int] = []) -> [String] {
        user.moments.from(requests).map { $0.line(names[$0.endpoint] ?? "") }
    }

    func gotTokens(_ user: LiveUser, _ session: Backend.SessionKey?) {
        var name: String?
        if !user.hasTokens {
            summary.requestsOfUsers += user.requestsBefore
            name = withAccount(of: user) { $0.nextName } ?? nil
        }
        users.gotTokens(user, session, named: name)
        if name == nil { withAccount(of: user) { $0.name = $0.name ?? user.name } }
        summary.users = users.signedIn
    }

    /// Notes how long a response asks its client to wait.
    private func noteWait(
        _ result: Result<TransportResponse, TransportError>, of cause: RequestCause
    ) {
        guard case .success(let answer) = result, [429, 503].contains(answer.head.statusCode),
            let seconds = answer.head.headers.value(for: "Retry-After").flatMap(Int.init),
            let user = users[cause.user]
        else { return }
        let wait = min(max(0, seconds), 86_400)
        user.calls.mustWait(cause.request, seconds: wait)
        user.retries.mustWait(cause.request)
        guard user.failedRefresh?.request == Int(cause.request) else { return }
        user.followUp.mustWait(
            until: simulation.now.nanoseconds + Int64(wait) * 1_000_000_000)
    }

    /// The next position of an event.
    func nextMoment() -> Int {
        moment += 1
        return moment
    }

    func name(_ endpoint: Endpoint) {
        if names[endpoint.number] == nil { names[endpoint.number] = endpoint.name }
    }

    func session(of token: IssuedToken) -> Backend.SessionKey? {
        backend?.session(of: TokenTexts(access: token.text))
    }
}

extension LiveJudge {
    /// Notes that a user broke a promise.
    func found(
        _ promise: RaceInvariant, _ text: String, by user: LiveUser, cause: String = "",
        timeline: [String]? = nil, _ requests: [Int]
    ) {
        if user.lost?.found != nil, [.singleFlight, .noReuse, .staleRefusal].contains(promise) {
            let lines = timeline ?? self.timeline(of: user, from: requests)
            user.lost?.found?.append { [self] in
                if promise == .singleFlight { summary.redundantRefreshes += 1 }
                found(promise, text, by: user, cause: cause, timeline: lines, requests)
            }
            return
        }
        guard simulation.now.nanoseconds > blindUntil else {
            return arguable(promise, text + BrokenPromise.stoodStill)
        }
        seen.insert(promise)
        broken[promise.id, default: 0] += 1
        // Who signs in again breaks it again: each sign-in numbers its requests anew.
        let first = withAccount(of: user, \.first) ?? user.number
        let key = FindingKey(promise: promise.id, user: first, cause: cause)
        if let place = places[key] {
            return findings[place].repeats(with: requests, by: user.name)
        }
        guard findings.count < Self.findingsMax else { return }
        places[key] = findings.count
        findings.append(
            LiveFinding(
                number: findings.count + 1, promise: promise,
                user: user.name ?? Self.nameless, text: text, at: simulation.now,
                requests: requests,
                timeline: timeline ?? self.timeline(of: user, from: requests)))
    }
}
