import SquallFormat
import SquallHTTP
import SquallJudge

/// Counts refreshes per expiry as runs do, by `SessionExpiry`.
///
/// A log shows no tokens, so each request is taken to show the newest that its user had when it was
/// sent. A client that loses a new token looks like one with short-lived tokens.
extension TokenTraffic {
    mutating func measureExpiries(_ people: [ArraySlice<LoggedRequest>], _ clock: Age.Clock) {
        guard refresh != nil else { return }
        let all = ExpiryCounts(people, self, clock, isOrderOnly: false)
        // A second tells the order of ends only: what both readings allow is known.
        let other =
            clock.isWholeSeconds ? ExpiryCounts(people, self, clock, isOrderOnly: true) : all
        fruitless = all.fruitless
        unseen = all.unseen
        storms = all.storms.map { own in (min(own.count, other.storms?.count ?? 0), own.of) }
        ahead = all.ahead.map { Self.hull($0, other.ahead) }
        redundant = all.redundantShare.map { Self.hull($0, other.redundantShare) }
        loops = all.loopCount
        // After a refusal that no refresh follows, its line may be lost.
        refreshesPerExpiry = all.refreshes.map {
            Self.hull($0, other.refreshes).extended(below: 0, above: lostMax)
        }
        refusalsPerExpiry = all.refusals.map { Self.hull($0, other.refusals) }
    }

    private static func hull(_ one: Estimate, _ other: Estimate?) -> Estimate {
        guard let other, let low = one.low, let high = one.high else { return one }
        return Estimate(
            one.value, low: min(low, other.low ?? low), high: max(high, other.high ?? high),
            count: one.count)
    }
}

/// The expiries of all users, and the refreshes that they had.
private struct ExpiryCounts {
    private var expiries: [(refreshes: Int, refusals: Int)] = []
    private var all = (ahead: 0, redundant: 0, refreshes: 0, loops: 0, missing: 0, followed: 0)
    /// Refreshes that calls had asked for which are never accepted.
    private(set) var fruitless = 0

    /// Counts in the order of ends; by that order alone where a clock tells no more.
    init(
        _ people: [ArraySlice<LoggedRequest>], _ tokens: TokenTraffic,
        _ clock: TokenTraffic.Age.Clock, isOrderOnly: Bool
    ) {
        for person in people {
            var session = LoggedSession(expiries: expiries.count)
            for var request in person.ordered(by: Self.isBefore) {
                if isOrderOnly { (request.began, request.duration) = (request.ended, 0) }
                take(request, &session, tokens, clock)
            }
        }
    }

    private mutating func take(
        _ request: LoggedRequest, _ session: inout LoggedSession, _ tokens: TokenTraffic,
        _ clock: TokenTraffic.Age.Clock
    ) {
        if Int(request.call) == tokens.refresh {
            let (reason, loops, cause) = session.refreshed(by: request)
            all.loops += Int(loops.calls)
            if let cause, tokens.neverAccepted.contains(cause) {
                fruitless += 1
                return
            }
            all.refreshes += 1
            all.redundant += reason.isRedundant ? 1 : 0
            if reason == .unprompted || expiries.count == session.first {
                all.ahead += 1
            } else {
                expiries[expiries.count - 1].refreshes += 1
            }
        } else if tokens.isRefused(request) {
            let news = session.refused(request)
            guard !tokens.neverAccepted.contains(request.call) else { return }
            session.refusal = request
            if news == .first { expiries.append((0, 0)) }
            if expiries.count > session.first { expiries[expiries.count - 1].refusals += 1 }
        } else {
            session.ended(request, isSignIn: Int(request.call) == tokens.logIn)
            guard tokens.guarded.contains(request.call), (200..<300).contains(request.status),
                let isMissing = session.lacksRefresh(before: request, clock)
            else { return }
            all.followed += 1
            all.missing += isMissing ? 1 : 0
        }
    }

    var ahead: Estimate? {
        let count = expiries.count + all.ahead
        return count == 0 ? nil : Estimate(share: all.ahead, of: count)
    }
    var redundantShare: Estimate? {
        ahead == nil || all.refreshes == 0
            ? nil : Estimate(share: all.redundant, of: all.refreshes)
    }
    var loopCount: Estimate? {
        let refused = expiries.reduce(0) { $0 + $1.refusals } + fruitless
        return refused == 0 ? nil : Estimate(Double(all.loops), count: refused)
    }
    var unseen: Estimate? {
        all.followed == 0 ? nil : Estimate(share: all.missing, of: all.followed)
    }
    var refreshes: Estimate? { mean { Double($0.refreshes) } }
    var refusals: Estimate? { mean { Double($0.refusals) } }

    var storms: (count: Int, of: Int)? {
        expiries.isEmpty ? nil : (expiries.count { $0.refreshes > 1 }, expiries.count)
    }

    private func mean(_ value: ((refreshes: Int, refusals: Int)) -> Double) -> Estimate? {
        expiries.isEmpty ? nil : Estimate(meanOf: expiries.map(value))
    }

    private static func isBefore(_ one: LoggedRequest, _ other: LoggedRequest) -> Bool {
        (one.ended, one.began) < (other.ended, other.began)
    }
}

/// One user's tokens, as far as a log shows them; requests are told in the order of their ends.
private struct LoggedSession {
    /// The number of expiries of the users before.
    let first: Int
    private var expiry = SessionExpiry()
    /// Calls that were refused, and have neither been sent again nor been refreshed for.
    private var waiting: [(call: Int32, ended: Int64)] = []
    /// Counts the refresh tokens that the user may have had: a refused one never succeeds again.
    private var pairs = 0
    /// Requests without a longer pause between them are one step.
    private var (step, latest): (UInt32, Int64) = (0, .min)
    /// The last refusal that no success has followed.
    var refusal: LoggedRequest?
    private var refreshed = Int64.min

    init(expiries: Int) { first = expiries }

    mutating func refused(_ request: LoggedRequest) -> SessionExpiry.Refusal {
        note(request)
        waiting.append((request.call, request.ended))
        var refused = SessionExpiry.RefusedRequest(handedOverAt: request.began)
        (refused.call, refused.step) = (UInt64(request.call) + 1, step)
        return expiry.refused(refused, at: request.ended)
    }

    mutating func refreshed(
        by request: LoggedRequest
    ) -> (reason: SessionExpiry.Reason, loops: SessionExpiry.Loops, cause: Int32?) {
        latest = max(latest, request.ended)
        refreshed = max(refreshed, request.ended)
        let cause = waiting.firstIndex { $0.ended <= request.began }.map {
            waiting.remove(at: $0).call
        }
        let ending = RenewalEnding(status: request.status)
        var ended = SessionExpiry.EndedRefresh(
            handedOverAt: request.began, isPrompted: cause != nil, ending)
        ended.refresh = TokenNumber(place: pairs)
        defer { if ending == .succeeded { pairs += 1 } }
        let told = expiry.ended(ended, at: request.ended)
        return (told.reason, told.loops, cause)
    }

    mutating func ended(_ request: LoggedRequest, isSignIn: Bool) {
        note(request)
        if request.status < 500 { expiry.succeeded(UInt64(request.call) + 1) }
        guard isSignIn, (200..<300).contains(request.status) else { return }
        expiry.signedIn(at: request.ended)
        waiting = []
        pairs += 1
    }

    /// True if no refresh is seen between the refusal and a success; nil without a refusal, or
    /// where the success may have been on its way when the other was refused.
    mutating func lacksRefresh(
        before success: LoggedRequest, _ clock: TokenTraffic.Age.Clock
    ) -> Bool? {
        guard let own = refusal,
            TokenTraffic.Age(of: own, at: success, isRefused: false, clock).least > 0
        else { return nil }
        refusal = nil
        return refreshed < own.began - TokenTraffic.episodeGap
    }

    /// A call that is sent again needs no refresh any more.
    private mutating func note(_ request: LoggedRequest) {
        if latest != .min, request.began > latest + TokenTraffic.episodeGap { step += 1 }
        latest = max(latest, request.ended)
        if let place = waiting.firstIndex(where: {
            $0.call == request.call && $0.ended <= request.began
        }) {
            waiting.remove(at: place)
        }
    }
}
