import SquallBackend
import SquallHTTP
import SquallJudge

/// One sign-in and what descends from it, with all that judging its next requests needs.
///
/// Its size is bounded: what is settled is forgotten.
final class LiveUser {
    let number: UInt64
    /// What its refreshes ask for, where that is known, and those that asked for something else:
    /// tokens for several audiences do not replace each other.
    var target: UInt64?
    var lines: [UInt64: LiveUser] = [:]
    /// Where it is such a line, the user who signed in.
    weak var root: LiveUser?
    var origin: LiveUser { root ?? self }
    /// The name in findings; `nil` until it has got tokens or named itself.
    var name: String?
    /// True if its requests have named it.
    var isNamed = false
    var hasTokens = false
    var requests: UInt32 = 0
    /// The number of requests before it had tokens.
    var requestsBefore = 0
    var lastSeen: Int64 = 0
    /// The connection of the request that enters now, and when its first byte came; no moment where
    /// all of it came at once.
    var source: (connection: UInt64?, began: Int64?) = (nil, nil)
    /// Requests that have not ended.
    var open: [LiveRequest] = []
    /// How many equal calls were open at once.
    private(set) var atOnceMax = 1
    /// How many calls were open at once.
    private(set) var crowd = 1
    /// How many calls were sent each right after the one before.
    private(set) var inTurnMax = 1
    private var inTurn = 0
    /// True as long as no call was sent while another was open, nor right behind an equal one.
    var isAlone: Bool { !hasMet && !sharesConnections }
    private var hasMet = false
    /// True as soon as equal calls have come one after the other on one connection.
    private var sharesConnections = false
    private var latestSuccess: (url: WebURL, connection: UInt64?, at: Int64)?
    /// The end of the last request that was open.
    var quietSince: Int64 = 0
    /// Responses sent until then are known to the app: it was quiet for a while after them.
    var knownUntil: Int64 = .min
    /// Tokens that were sent until then have reached each of its threads: one that is held up on a
    /// busy machine sends its older one later (StaleRepeatTests.heldUp).
    var storedUntil: Int64 = .min
    /// The numbers of the tokens that it got lately, the oldest first.
    var tokens: [TokenNumber] = []
    private(set) var issued = (access: 0, refresh: 0)
    /// The access token that it got last.
    var newest: TokenNumber?
    var session = SessionExpiry()
    /// The latest refusals of calls, with the tokens that these showed.
    private var refusals: [(call: UInt64, token: TokenNumber?, moment: Int, at: Int64)] = []
    /// The end of its latest refresh, and of the latest refusal.
    var refreshedAt: Int64?
    var refusedAt: Int64?
    var refusedToken: TokenNumber?
    /// True as soon as a refusal has told that its newest token has expired.
    var isRefused = false
    /// New access tokens that its app may not know yet, each with the number of those that it
    /// replaces: not of one that another refresh brought meanwhile, which may be kept instead
    /// (LiveInnocenceTests.siblings).
    var pending: [(token: TokenNumber, replaces: Int, at: Int64, shownAt: Int64?)] = []
    /// When it was known at the latest which token is its newest.
    var storedAt: Int64 = .min
    /// A call that was refused since it showed no token, while its app may have had one.
    var tokenless: (endpoint: String, request: Int, connection: UInt64?)?
    var tokenlessRow = TokenlessRow()
    /// True as soon as a call with a token has cookies.
    var sendsCookies = false
    /// The connection on which its latest new tokens were sent.
    var refreshedOn: UInt64?
    /// True if it may not have read them: what it does with older ones is no fault
    /// (LiveInnocenceTests.unread).
    var mayLackTokens = false
    /// The pair that its process may have been ended with before it had stored it, as soon as there
    /// was one, and what is found if a request shows it after all.
    var lost: (access: TokenNumber?, refresh: TokenNumber?, found: [() -> Void]?)?
    /// True if what it does with older tokens is no fault, whatever it sends next.
    var isExcused: Bool { mayLackTokens && lost?.found == nil }
    var needless = NeedlessRow()
    var unused = UnusedRenewals()
    var lateRefusals = LateRefusals()
    /// The last response to its newest token that was no success and not about the token.
    var otherRefusal: (token: TokenNumber?, status: Int, at: Int64)?
    /// Its sign-ins and sign-outs, by moments and the numbers of requests.
    var who = SignInWatch<(at: Int64, request: Int)>()
    var singleFlight = RefreshWatch()
    var reuse = ReuseWatch()
    var deadToken = StoreWatch()
    /// The refresh token that the server has refused, when and in which request, and how often it
    /// came since.
    var dead: (token: TokenNumber?, at: Int64, request: UInt32, shows: Int)?
    /// The latest refresh token that it got.
    var newestRefresh: TokenNumber?
    /// The refresh that failed last, until one succeeds or is refused.
    ///
    /// `isLeft` is true as soon as its account signs in because of that.
    var failedRefresh: (status: Int?, at: Int64, request: Int, isLeft: Bool)?
    /// The account that its tokens open, where that is known.
    var account: UInt64?
    /// True if it stands for all processes of a client that renews without a refresh token.
    var isPool = false
    var followUp = FollowUpWatch()
    var backoff = BackoffWatch()
    var retries = RetryRhythm()
    var turns = TurnWatch()
    var writes = WriteWatch()
    /// Writes whose client has gone before their response, and when.
    private var left: [(request: LiveRequest, at: Int64)] = []
    /// How many refreshes were redundant since the last that was not.
    var redundant = 0
    private var reused: (place: Int, later: Set<Int>) = (-1, [])
    /// Sign-ins, with the token that each brought and, as soon as that is known, replaced.
    private var signIns: [(request: UInt32, token: TokenNumber, replaces: TokenNumber?)] = []
    /// The number of the newest access token that it has shown, or the first of those that were
    /// brought with it (LivePromiseTests.deafCrowd).
    var shownMax = 0
    /// When that was shown first.
    var shownMaxAt: Int64 = 0
    /// When an older one was taken beside it.
    var olderAt = Int64.max
    /// True as soon as it came again after that: several processes share the refresh token, and
    /// each has an access token (LiveUsersTests.sharedRefreshToken).
    ///
    /// Threads may keep an older one of a storm's tokens, but one (LiveUsersTests.keepsOlder).
    var isFleet = false
    /// Calls that were refused with a token which is not replaced yet.
    var refusedSends: [(call: UInt64, token: TokenNumber, at: Int64, connection: UInt64?)] = []
    var calls = LiveCalls()
    var staleRepeats = StaleRepeats()
    var reading = LiveReading()
    var moments = LiveMoments()
    /// The numbers of its latest refreshes, by the moments of their sending.
    private var refreshes: [(moment: Int, number: UInt32)] = []

    init(_ number: UInt64) { self.number = number }

    /// Notes that a call was refused.
    ///
    ///  - Returns: True if it was sent after the same was refused with the same token, or a while
    ///    after that, and so by another action of the user
    ///    (LiveInnocenceTests.leftWhileRefreshing), as where another call was taken meanwhile.
    func wasRefused(
        _ call: UInt64, _ sent: LiveRequest, at moment: Int, _ now: Int64, _ pace: LivePace
    ) -> Bool {
        let earlier = refusals.firstIndex { $0.call == call }.map { refusals.remove(at: $0) }
        if refusals.count >= 16 { refusals.removeFirst() }
        refusals.append((call, sent.access, moment, now))
        guard let earlier, earlier.moment < sent.moment else { return false }
        let isTaken = latestSuccess.map { $0.at > earlier.at } ?? false
        return earlier.token == sent.access
            || sent.sentAt > earlier.at + (isTaken ? pace.idle : pace.comeback)
    }

    /// Notes that a client has gone before the response to its write; the server may still do it.
    func leaves(_ sent: LiveRequest, at now: Int64) {
        if left.count >= 16 { left.removeFirst() }
        left.append((sent, now))
    }

    /// The request of a number that the server has done, and when its client had gone, if it has.
    func done(_ number: UInt32) -> (request: LiveRequest, leftAt: Int64?)? {
        if let sent = open.first(where: { $0.number == number }) { return (sent, nil) }
        let place = left.firstIndex { $0.request.number == number }
        return place.map { left.remove(at: $0) }.map { ($0.request, $0.at) }
    }

    func opens(_ sent: LiveRequest, _ pace: LivePace) {
        defer { open.append(sent) }
        // A call that comes again after its refresh is the same.
        if sent.isRefresh { inTurn = 0 }
        if !sent.isRefresh, sent.access != nil {
            let goesOn = !open.isEmpty || sent.sentAt - quietSince < pace.grace
            inTurn = goesOn ? min(inTurn + 1, Self.screensMax) : 1
            inTurnMax = max(inTurnMax, inTurn)
        }
        hasMet = hasMet || !sent.isRefresh && open.contains { !$0.isRefresh }
        // Those without a token are many, and no screens of one app.
        guard number != 0, (1...Self.screensMax).contains(open.count) else { return }
        let equal = open.count {
            $0.request.url == sent.request.url && $0.request.method == sent.request.method
        }
        atOnceMax = max(atOnceMax, equal + 1)
        if !sent.isRefresh { crowd = max(crowd, open.count { !$0.isRefresh } + 1) }
    }

    private static let screensMax = 32

    /// Notes that a call has succeeded, after which its connection is free for the next.
    func hasSucceeded(_ sent: LiveRequest, at now: Int64, _ pace: LivePace) {
        if let last = latestSuccess, last.connection == sent.connection, sent.connection != nil,
            sent.sentAt - last.at < pace.instant, last.url == sent.request.url
        {
            sharesConnections = true
        }
        latestSuccess = (sent.request.url, sent.connection, now)
    }

    /// Forgets what is expected of it, and which tokens it knows, after a time in which nothing
    /// reached it.
    func forgetsUnsettled() {
        (followUp, backoff, writes, calls, staleRepeats) = (
            FollowUpWatch(), BackoffWatch(), WriteWatch(), LiveCalls(), StaleRepeats()
        )
        (mayLackTokens, failedRefresh, tokenless, refusedSends) = (true, nil, nil, [])
        tokenlessRow = TokenlessRow()
    }

    /// Someone signs in to its account, and may be this one, whatever comes of it.
    func signsInAgain(at now: Int64, _ pace: LivePace) {
        followUp.renews()
        if let failed = failedRefresh, now - failed.at < pace.thrownAway {
            failedRefresh?.isLeft = true
        }
    }

    /// A sign-in has brought a token.
    func signedIn(by sent: LiveRequest, with token: TokenNumber) {
        if signIns.count >= 32 { signIns.removeFirst() }
        signIns.append((sent.number, token, nil))
    }

    /// A sign-in was made for the expiry of a token.
    func signIn(with token: TokenNumber, replaces old: TokenNumber) {
        guard let place = signIns.lastIndex(where: { $0.token == token }) else { return }
        signIns[place].replaces = old
    }

    /// The numbers of the sign-in that brought a token and of the one that was made for the same
    /// expiry before.
    func signIns(with token: TokenNumber, replacing old: TokenNumber) -> [Int] {
        let own = signIns.lastIndex { $0.token == token }
        let other =
            signIns.lastIndex { $0.replaces == old && $0.token != token }
            ?? signIns[..<(own ?? 0)].lastIndex { $0.token != old }
        return [own, other].compactMap { $0 }.map { Int(signIns[$0].request) }.sorted()
    }

    /// How many refreshes by now have shown a refresh token that was under way or exchanged.
    func reuses(_ reuses: [ReuseWatch.Reuse]) -> Int {
        guard let place = reuses.first?.shows else { return 0 }
        let later = Set(reuses.map(\.later))
        reused = (place, reused.place == place ? reused.later.union(later) : later)
        return reused.later.count
    }

    /// True for a call that comes again with a token that was refused, while its refresh is open:
    /// at once on the connection of the refusal, or more often than screens have shown it at once.
    ///
    /// Equal calls of several screens come one after the other where they share a connection, and
    /// those that waited for it know nothing of the refusal (LiveInnocenceTests.sharedConnection).
    func sendsAgain(
        _ call: UInt64, with token: TokenNumber, at moment: Int64, _ pace: LivePace
    ) -> Bool {
        guard !refusedSends.isEmpty, let refresh = open.first(where: \.isRefresh) else {
            return false
        }
        let earlier = refusedSends.filter { $0.call == call && $0.token == token && $0.at < moment }
        let isAtOnce = earlier.contains {
            atOnceMax == 1 && !sharesConnections && $0.connection != nil
                && $0.connection == source.connection && moment - $0.at < pace.grace
        }
        // A screen that loads every so often is refused each time while a refresh is tried again.
        let count = earlier.count { $0.at >= refresh.sentAt }
        return isAtOnce || count > max(Self.screensAtOnce, atOnceMax)
    }

    /// The number of screens that may ask for the same, each once, while another's refresh is open.
    private static let screensAtOnce = 8

    /// Notes a refresh, so that findings can name it.
    func sends(_ refresh: LiveRequest) {
        if refreshes.count >= 32 { refreshes.removeFirst() }
        refreshes.append((refresh.moment, refresh.number))
    }

    /// The numbers of refreshes that were sent at some moments, in order.
    func refreshes(at moments: Int...) -> [Int] {
        refreshes.filter { moments.contains($0.moment) }.map { Int($0.number) }
    }

    /// The next number of a token of a kind.
    func numbers(_ kind: TokenMint.Kind) -> Int {
        switch kind {
        case .access:
            issued.access += 1
            return issued.access - 1
        case .refresh:
            issued.refresh += 1
            return issued.refresh - 1
        }
    }

    /// True if a response of a moment was known to the app when it began a call that comes now.
    ///
    /// A call may have waited for a connection when the response came. It has not if nothing was
    /// open for a while since.
    func knew(_ answeredAt: Int64, at now: Int64) -> Bool {
        answeredAt < now && answeredAt <= knownUntil
    }
}

/// A request of a live session that has not ended.
struct LiveRequest {
    let number: UInt32
    let moment: Int
    /// When it began to come: a client knows nothing that happened while it sent a long body
    /// (LiveInnocenceTests.upload).
    let sentAt: Int64
    let connection: UInt64?
    let request: URLRequest
    let access, refresh: TokenNumber?
    /// The place of the access token that a refresh is to replace.
    let replaces: Int?
    /// The newest token that its user had, and the one that was refused last.
    let newest, refused: TokenNumber?
    /// The number of access tokens that its user had been issued.
    let issuedBefore: Int
    let isRefresh: Bool
    /// True if a refusal of an older token made the client refresh a good one.
    let isPrompted: Bool
    /// True for one that should show an access token and shows none.
    let isTokenless: Bool
    /// True for one with an access token that its app knows to be replaced.
    let isOutdated: Bool
    /// True for a refresh for which nothing that was seen is a reason.
    let isNeedless: Bool
    /// True for one that ends the session where it succeeds.
    let isSignOut: Bool
    /// What is wrong with one that shows a word, nothing or a token of the other kind in place of
    /// its token.
    var misuse: String?
}
