import SquallFormat
import SquallHTTP

/// The tokens in a log: the calls about them, their lives, and clients' refreshes per expiry.
struct TokenTraffic: Sendable {
    /// The call that refreshes, as an index in the log's calls; nil if none is seen.
    var refresh: Int?
    /// The call that signs in; nil if none is seen.
    var logIn: Int?
    /// The call that signs out; nil where none was seen with its tokens.
    var logOut: Int?
    /// The status that means "expired"; nil if nothing was refused.
    var expiredStatus: Int?
    /// The reason for which that call is taken for the refresh.
    var reason = ""
    /// Calls that are refused without a valid token.
    var guarded: Set<Int32> = []
    /// Calls that were refused with every token, which shows nothing about tokens.
    var neverAccepted: Set<Int32> = []
    /// Expiries that had more than one refresh, and all of them; nil without one.
    var storms: (count: Int, of: Int)?
    /// Refreshes that only such calls had asked for.
    var fruitless = 0
    /// True if the ages at which tokens were refused are those of one token for each user: not
    /// where several users are taken for one; `nil` where too few were refused.
    var isOneUser: Bool?
    /// True if tokens are renewed, and no call of the log does so.
    var isRenewedElsewhere = false
    /// True if users sign in so often that it is a call of their journeys.
    var isSignInPlain = false
    /// The lifetime of an access token, in nanoseconds.
    ///
    /// The ends are the last age at which a token was still valid and the first at which one was
    /// not. Nil if no token was seen from its beginning to its end.
    var lifetime: Estimate?
    /// A lifetime with which as many tokens end in use as in the log, in nanoseconds, where it is
    /// not known.
    var lifeInUse: Double?
    /// The age at which clients renew a token before it is refused, in nanoseconds; nil if they
    /// do not.
    var renewal: Estimate?
    /// The share of users who came with an expired token.
    var expiredAtFirst: Estimate?
    /// The share of users who began by signing in.
    var freshAtFirst = 0.0
    /// The rest of the life of all other users' first tokens; nil if none is seen to end.
    var first: FirstTokens?
    /// True if far more of the calls in the first half of a token's life are refused than of later
    /// ones: the users of a load test came with expired tokens.
    var beginExpired = false
    /// Refreshes per expiry, by the rule of runs as far as a log without tokens allows it.
    var refreshesPerExpiry: Estimate?
    /// Refused calls per expiry.
    var refusalsPerExpiry: Estimate?
    /// The share of expiries after which a call succeeded though no refresh was seen.
    var unseen: Estimate?
    /// The largest share of lines that may be lost, where some refreshes are missing.
    var lostMax: Double { unseen.map { $0.value > 0 ? $0.high ?? $0.value : 0 } ?? 0 }
    /// True if so many refreshes are missing that a user's calls may be missing, too.
    var lacksLines: Bool { unseen.map { $0.low ?? 0 > Self.unseenMax } ?? false }
    /// The share of refreshes that were redundant, by the same rule.
    var redundant: Estimate?
    /// The calls that were refused and refreshed three times in a row.
    var loops: Estimate?
    /// The share of refreshes before any refusal.
    var ahead: Estimate?
    /// The retries of failed calls; `nil` where none failed.
    var retries: SeenRetries?

    /// The largest gap between a user's refusals and refreshes of one expiry, in nanoseconds.
    static let episodeGap: Int64 = 5_000_000_000
    private static let unseenMax = 0.01
    private static let refused: Set<Int16> = [401, 419, 440, 498]

    /// The findings of a log without users: none.
    init() {}

    init(
        _ log: TrafficLog, _ people: [ArraySlice<LoggedRequest>],
        _ options: TrafficFit.Options = TrafficFit.Options()
    ) {
        if let seen = options.tokens { take(seen, log) } else { findCalls(log, people) }
        if let logIn, options.tokens == nil {
            isSignInPlain = logIn != refresh && log.calls[logIn].count * 100 >= log.reading.requests
        }
        guard log.hasStatuses else { return }
        guarded = Set(
            log.calls.indices.filter { index in
                ![refresh, logIn, logOut].contains(index)
                    && log.calls[index].statuses.keys.contains(where: Self.refused.contains)
            }.map(Int32.init))
        let statuses = log.calls.enumerated().filter { guarded.contains(Int32($0.offset)) }
            .reduce(into: [Int16: Int]()) { sum, call in
                sum.merge(
                    call.element.statuses.filter { Self.refused.contains($0.key) },
                    uniquingKeysWith: +)
            }
        expiredStatus = statuses.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { Int($0.key) }
        neverAccepted = guarded.filter { call in
            let statuses = log.calls[Int(call)].statuses
            let refused = statuses.reduce(0) { $0 + (Self.refused.contains($1.key) ? $1.value : 0) }
            let others = statuses.contains { $0.key < 500 && !Self.refused.contains($0.key) }
            return refused >= Self.refusalsMin && !others
        }
        let clock = Age.Clock(log.reading)
        measureLifetime(people, clock)
        if lifetime == nil, expiredStatus != nil, let span = options.expiryInterval {
            let refusals = people.joined().count { isRefused($0) }
            lifetime = Estimate(Double(span), count: refusals)
        }
        if log.reading.identity.hasTokenLines {
            measureExpiries(people, clock)
        }
        let firsts = people.compactMap { person in
            person.first {
                [refresh, logIn].contains(Int($0.call))
                    || guarded.contains($0.call) && $0.status < 500
                        && !neverAccepted.contains($0.call)
            }
        }
        if !firsts.isEmpty {
            let expired = firsts.count { Int($0.call) == refresh || isRefused($0) }
            expiredAtFirst = Estimate(share: expired, of: firsts.count)
            let fresh = firsts.count { Int($0.call) == logIn && $0.status < 400 }
            freshAtFirst = Double(fresh) / Double(firsts.count)
        }
        first = FirstTokens(people, self)
        lifeInUse = lifetime == nil ? lifeInUse(people) : nil
        beginExpired = areRefusalsEarly(people, log.reading.span)
        retries = SeenRetries(people)
    }

    static let refusalsMin = 5

    /// The calls about tokens that are known, with the names that profiles give them.
    var named: [(name: String, call: Int)] {
        [("refresh", refresh), ("logIn", logIn), ("logOut", logOut)].compactMap { name, call in
            call.map { (name, $0) }
        }
    }

    /// True for a request about tokens only, which no user asked for.
    func isAboutTokens(_ request: LoggedRequest) -> Bool {
        Int(request.call) == refresh
            || Int(request.call) == logIn && !isSignInPlain || isRefused(request)
    }

    func isRefused(_ request: LoggedRequest) -> Bool {
        guarded.contains(request.call) && Int(request.status) == expiredStatus
    }
}

/// Finds the calls about tokens.
extension TokenTraffic {
    private mutating func take(_ seen: SeenTokenCalls, _ log: TrafficLog) {
        func place(_ call: SeenTokenCalls.Call?) -> Int? {
            log.calls.firstIndex { $0.method == call?.method && $0.path == call?.path }
        }
        (logIn, refresh, logOut) = (place(seen.logIn), place(seen.refresh), place(seen.logOut))
        reason = refresh == nil ? "" : "by its tokens"
    }

    private mutating func findCalls(_ log: TrafficLog, _ people: [ArraySlice<LoggedRequest>]) {
        func named(_ isNamed: (String) -> Bool) -> Int? {
            log.calls.indices.filter { index in
                let path = log.calls[index].path.lowercased()
                let changes =
                    log.calls[index].method != "DELETE" && log.calls[index].method != "HEAD"
                // A script file of such a name is no call about tokens.
                let isFile = [".js", ".css", ".map", ".html", ".png", ".svg"]
                    .contains { path.hasSuffix($0) }
                return changes && !isFile && path.utf8.count <= 200 && isNamed(path)
            }.max { log.calls[$0].count < log.calls[$1].count }
        }
        refresh =
            named(TokenWords.isRefresh)
            ?? named { $0.contains("oauth/token") || $0.contains("oauth2/token") }
        reason = refresh == nil ? "" : "by its name"
        if refresh == nil, let found = follower(log, people) {
            refresh = found
            reason = "because it follows refusals"
        }
        refresh = refresh ?? named { $0.contains("/token") }
        if refresh != nil, reason.isEmpty { reason = "by its name" }
        logIn = log.calls.indices.filter { index in
            index != refresh && log.calls[index].method == "POST"
                && TokenWords.isLogIn(log.calls[index].path)
        }.max { log.calls[$0].count < log.calls[$1].count }
    }

    /// The call that follows refusals and seldom occurs otherwise.
    private func follower(
        _ log: TrafficLog, _ people: [ArraySlice<LoggedRequest>]
    ) -> Int? {
        var (after, refusals) = ([Int32: Int](), 0)
        for person in people {
            for index in person.indices where Self.refused.contains(person[index].status) {
                refusals += 1
                // A request that is refused, or was sent before the refusal, is no consequence.
                let next = person[(index + 1)...].prefix(12).first {
                    $0.began >= person[index].ended && !Self.refused.contains($0.status)
                        && $0.call != person[index].call
                }
                if let next, next.began - person[index].ended < Self.episodeGap {
                    after[next.call, default: 0] += 1
                }
            }
        }
        guard refusals >= 3 else { return nil }
        let best = after.max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let best, best.value * 3 >= refusals else { return nil }
        let call = log.calls[Int(best.key)]
        return call.method != "GET" && best.value * 2 >= call.count ? Int(best.key) : nil
    }
}

/// Measures lifetimes and the behaviour of clients.
extension TokenTraffic {
    private mutating func measureLifetime(
        _ people: [ArraySlice<LoggedRequest>], _ clock: Age.Clock
    ) {
        // If nothing is refused, the refresh itself ends a token's use.
        let isAhead = expiredStatus == nil
        guard refresh != nil || !isAhead else { return }
        var first = Int64.max
        visitAges(people, clock) { if $0.isRefused { first = min(first, $0.least) } }
        // Much younger tokens were all valid, and only the oldest of those can tell anything.
        var (ages, oldest) = ([Age](), Age?.none)
        visitAges(people, clock) { age in
            if age.isRefused || age.least >= min(first, first / 2) {
                ages.append(age)
            } else if age.least > oldest?.least ?? .min {
                oldest = age
            }
        }
        let boundary = boundary(ages + [oldest].compactMap { $0 })
        if isAhead { renewal = boundary } else { lifetime = boundary }
    }

    /// Tells the age of each token when it was used, and finds if tokens are renewed elsewhere.
    private mutating func visitAges(
        _ people: [ArraySlice<LoggedRequest>], _ clock: Age.Clock, _ take: (Age) -> Void
    ) {
        let isAhead = expiredStatus == nil
        var renewed = 0
        for person in people {
            var issued: LoggedRequest?
            var refusal: LoggedRequest?
            for request in person where !neverAccepted.contains(request.call) {
                if Int(request.call) == refresh || Int(request.call) == logIn {
                    if isAhead, let issued, Int(request.call) == refresh {
                        take(Age(of: issued, at: request, isRefused: true, clock))
                    }
                    if (200..<300).contains(request.status) { issued = request }
                    continue
                }
                guard isAhead || guarded.contains(request.call), request.status < 500 else {
                    continue
                }
                let isRefused = isRefused(request)
                if let issued, request.began > issued.ended {
                    take(Age(of: issued, at: request, isRefused: isRefused, clock))
                }
                guard refresh == nil else { continue }
                // A call that succeeds after a refusal shows a token that was issued in between.
                if isRefused {
                    refusal = refusal ?? request
                } else if var between = refusal, request.began > between.ended {
                    between.duration = request.began - between.began
                    (issued, refusal) = (between, nil)
                    renewed += 1
                }
            }
        }
        isRenewedElsewhere = refresh == nil && renewed >= Self.refusalsMin
    }

    /// The age of a token when it was used: it was issued during its refresh, and used during the
    /// request.
    struct Age {
        let least, most: Int64
        let isRefused: Bool
        /// The end that speaks against a life: of a refused token the most.
        var decisive: Int64 { isRefused ? most : least }

        /// What the times of a log leave open.
        struct Clock {
            let isWholeSeconds: Bool
            /// The longest that a request may have taken where no line tells it, in nanoseconds.
            let unknown: Int64

            init(_ reading: TrafficLog.Reading) {
                isWholeSeconds = reading.isWholeSeconds
                unknown = reading.withDuration == 0 ? 1_000_000_000 : 0
            }
        }

        init(
            of issued: LoggedRequest, at request: LoggedRequest, isRefused: Bool, _ clock: Clock
        ) {
            self.isRefused = isRefused
            guard clock.isWholeSeconds else {
                least = request.began - issued.ended - clock.unknown
                most = request.ended - issued.began + clock.unknown
                return
            }
            // Both ends are known to the second.
            let second: Int64 = 1_000_000_000
            let apart = (request.ended / second - issued.ended / second) * second
            least = apart - second - max(clock.unknown, request.duration)
            most = apart + second + max(clock.unknown, issued.duration)
        }
    }

    /// The age that separates valid tokens from refused ones with the fewest errors, between the
    /// last valid one below and the first refused one above.
    ///
    /// An error is a token that was valid when it was certainly older, or refused when it was
    /// certainly younger: the server decided at some moment between least and most age.
    private mutating func boundary(_ unsorted: [Age]) -> Estimate? {
        let ages = unsorted.ordered {
            ($0.decisive, $0.isRefused ? 1 : 0) < ($1.decisive, $1.isRefused ? 1 : 0)
        }
        let refusals = ages.count { $0.isRefused }
        guard refusals > 0 else { return nil }
        var (errors, best) = (ages.count - refusals, (place: 0, errors: ages.count - refusals))
        for (index, age) in ages.enumerated() {
            errors += age.isRefused ? 1 : -1
            if errors <= best.errors { best = (index + 1, errors) }
        }
        if refusals >= 2 * Self.refusalsMin { isOneUser = best.errors * 20 <= refusals }
        // If many valid tokens are older, no age separates them.
        guard best.place < ages.count, best.errors * 5 <= refusals else { return nil }
        let valid = Double(ages[..<best.place].last { !$0.isRefused }?.least ?? 0)
        let above = ages[best.place...].first(where: \.isRefused) ?? ages[best.place]
        let refused = max(valid, Double(above.most))
        let (low, high) = Self.widened(valid, refused, ages)
        return Estimate(
            Self.round((low + high) / 2, low, high), low: low, high: high, count: refusals)
    }

    /// An interval wide enough for the tokens nearby that are on its wrong side, as after a step of
    /// a clock, or where tokens do not all live equally long.
    private static func widened(
        _ low: Double, _ high: Double, _ ages: [Age]
    ) -> (low: Double, high: Double) {
        let near = ages.filter { Double($0.least) > 0.9 * low && Double($0.most) < 1.1 * high }
        let refused = near.filter(\.isRefused).map { Double($0.most) }.min() ?? high
        let valid = near.filter { !$0.isRefused }.map { Double($0.least) }.max() ?? low
        return (min(low, refused), max(high, valid))
    }

    /// The roundest number in an interval: lifetimes are usually whole minutes or hours.
    static func round(_ value: Double, _ low: Double, _ high: Double) -> Double {
        for unit in [86_400e9, 3_600e9, 1_800e9, 900e9, 600e9, 300e9, 60e9, 30e9, 10e9, 5e9, 1e9] {
            let rounded = (value / unit).rounded() * unit
            if rounded >= low, rounded <= high, rounded > 0 { return rounded }
        }
        return value
    }

    /// The most similar design that profiles can declare, and the reason.
    var design: (name: String, settings: [ProfileValue.Member], reason: String)? {
        guard let ahead else { return nil }
        if ahead.value > 0.5 {
            return (
                "clock", [("notices", ["clock", "status"]), ("ahead", "30s")],
                "it refreshes before the expiry, as \(Units.percent(ahead.value)) of refreshes"
                    + " came before anything was refused"
            )
        }
        guard let refreshes = refreshesPerExpiry, let refusals = refusalsPerExpiry else {
            return nil
        }
        let isNaive =
            abs(refreshes.value - 1) > abs(refreshes.value - refusals.value)
            && refreshes.value > 1.05
        let seen =
            "refreshes for one expiry: \(Units.threeDigits(refreshes.value)), and it refuses"
        return isNaive
            ? (
                "naive", [("singleFlight", false), ("refreshesLate", true)],
                "\(seen) \(Units.threeDigits(refusals.value)) calls: each refused call refreshes"
            )
            : (
                "reference", [("notices", ["status"]), ("singleFlight", true)],
                "\(seen) \(Units.threeDigits(refusals.value)) calls: one refresh for all of them"
            )
    }
}
