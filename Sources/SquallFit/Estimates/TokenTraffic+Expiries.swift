import SquallBackend
import SquallFormat

/// Counts refreshes per expiry as runs do, by `SessionExpiry`.
///
/// A log shows no tokens, so each request is taken to show the newest that its user had when it was
/// sent. A client that loses a new token is told from one with short-lived tokens by nothing.
extension TokenTraffic {
    mutating func measureExpiries(_ people: [ArraySlice<LoggedRequest>]) {
        guard let refresh else { return }
        var expiries: [(refreshes: Int, refusals: Int)] = []
        var all = (ahead: 0, redundant: 0, refreshes: 0, loops: 0)
        for person in people {
            var session = LoggedSession(expiries: expiries.count)
            for request in person.ordered(by: Self.isBefore) {
                if Int(request.call) == refresh {
                    let (reason, loops) = session.refreshed(by: request)
                    all.loops += Int(loops.calls)
                    all.refreshes += 1
                    all.redundant += reason.isRedundant ? 1 : 0
                    if reason == .unprompted || expiries.count == session.first {
                        all.ahead += 1
                    } else {
                        expiries[expiries.count - 1].refreshes += 1
                    }
                } else if isRefused(request) {
                    if session.refused(request) == .first { expiries.append((0, 0)) }
                    if expiries.count > session.first { expiries[expiries.count - 1].refusals += 1 }
                } else {
                    session.ended(request, isSignIn: Int(request.call) == logIn)
                }
            }
        }
        guard expiries.count + all.ahead > 0 else { return }
        ahead = Estimate(share: all.ahead, of: expiries.count + all.ahead)
        if all.refreshes > 0 { redundant = Estimate(share: all.redundant, of: all.refreshes) }
        guard !expiries.isEmpty else { return }
        loops = Estimate(Double(all.loops), count: expiries.reduce(0) { $0 + $1.refusals })
        refreshesPerExpiry = Estimate(meanOf: expiries.map { Double($0.refreshes) })
        refusalsPerExpiry = Estimate(meanOf: expiries.map { Double($0.refusals) })
    }

    private static func isBefore(_ one: LoggedRequest, _ other: LoggedRequest) -> Bool {
        (one.ended, one.began) < (other.ended, other.began)
    }
}

/// One user's tokens, as far as a log tells of them; requests are told in the order of their ends.
private struct LoggedSession {
    /// How many expiries other users had.
    let first: Int
    private var expiry = SessionExpiry()
    /// Calls that were refused, and have neither been sent again nor been refreshed for.
    private var waiting: [(call: Int32, ended: Int64)] = []
    /// Counts the refresh tokens that the user may have had: a refused one never succeeds again.
    private var pairs = 0
    /// Requests without a longer pause between them are one step.
    private var (step, latest): (UInt32, Int64) = (0, .min)

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
    ) -> (reason: SessionExpiry.Reason, loops: SessionExpiry.Loops) {
        latest = max(latest, request.ended)
        let cause = waiting.firstIndex { $0.ended <= request.began }
        if let cause { waiting.remove(at: cause) }
        let meaning: AnswerMeaning =
            switch request.status {
            case 200..<400: .success
            case 429, 500...: .failure
            default: .signedOut
            }
        var ended = SessionExpiry.EndedRefresh(
            handedOverAt: request.began, isPrompted: cause != nil, meaning)
        ended.refresh = TokenNumber(place: pairs)
        defer { if meaning == .success { pairs += 1 } }
        return expiry.ended(ended, at: request.ended)
    }

    mutating func ended(_ request: LoggedRequest, isSignIn: Bool) {
        note(request)
        if request.status < 500 { expiry.succeeded(UInt64(request.call) + 1) }
        guard isSignIn, (200..<300).contains(request.status) else { return }
        expiry.signedIn(at: request.ended)
        waiting = []
        pairs += 1
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
