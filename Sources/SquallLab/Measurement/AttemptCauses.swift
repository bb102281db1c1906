import SquallBackend
import SquallHTTP
import SquallKernel

/// Finds the one cause of each attempt on the wire, from all attempts before it.
struct AttemptCauses {
    var requests = RequestLedger()
    private(set) var expiries: ExpiryLedger

    init(users: Int, unless isStopped: () -> Bool) {
        expiries = ExpiryLedger(users: users, unless: isStopped)
    }

    /// What is known of an attempt that has ended, or never will.
    struct Finding {
        /// The cause for which it was sent.
        let cause: WireCause
        /// Whether its answer is the first to say that the user's token has expired.
        let beginsExpiry: Bool
        /// Whether it is the first measured attempt of an expiry.
        let countsExpiry: Bool
        /// What it adds to calls that are refused and refreshed again and again.
        let loops: SessionExpiry.Loops
        /// The step that made the call.
        let step: OpenStep?
        /// The call whose refusal caused it, if it is a refresh.
        let origin: Endpoint?
    }

    /// Resets the counts but keeps the attempts under way, at the end of a warm-up.
    mutating func restart() {
        requests.restart()
        expiries.restart()
    }

    /// Whether an attempt is counted by what it says of tokens.
    ///
    /// `step` is the one that the user is on, here and below, by its ordinal: code of an earlier
    /// one that goes on is told apart from nothing else on the wire.
    func follows(
        _ cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning, inStep step: UInt32?
    ) -> Bool {
        guard meaning != .expired, endpoint.role == .ordinary else { return true }
        return expiries.follows(user: Int(cause.user), inStep: step ?? .max)
    }

    /// An attempt has ended, or is under way when the run is over.
    mutating func ended(
        _ exchange: ExchangeRecord, inStep step: UInt32? = nil, isMeasured: Bool, at now: Int64
    ) -> Finding {
        let known = expiry(of: exchange, inStep: step ?? .max, isMeasured: isMeasured, at: now)
        let (cause, origin) = requests.attemptEnded(
            exchange, refresh: known.refresh, isMeasured: isMeasured, at: now)
        return Finding(
            cause: cause, beginsExpiry: known.begins, countsExpiry: known.counts,
            loops: known.loops, step: origin.step,
            origin: requests.endpoint(known.refused ?? origin.refused))
    }

    private struct Known {
        var refresh: WireCause?
        /// The call that was refused before a refresh, where its client does not tell.
        var refused: Int32?
        var begins = false
        var counts = false
        var loops = SessionExpiry.Loops()
    }

    /// What an attempt means for its user's expiries; for a refresh, its reason.
    private mutating func expiry(
        of exchange: ExchangeRecord, inStep step: UInt32, isMeasured: Bool, at now: Int64
    ) -> Known {
        let user = Int(exchange.cause.user)
        switch exchange.endpoint.role {
        case .refresh: return refresh(exchange, inStep: step, isMeasured: isMeasured, at: now)
        case .signIn:
            guard exchange.meaning == .success else { break }
            expiries.signedIn(user: user, at: now)
            if let tokens = exchange.tokens { expiries.got(tokens, user: user) }
        case .ordinary: break
        }
        switch exchange.meaning {
        case .expired: return refused(exchange, inStep: step, isMeasured: isMeasured, at: now)
        case .success, .refused, .signedOut:
            if let tokens = exchange.tokens { expiries.succeeded(tokens.call, user: user) }
        case .failure, .none: break
        }
        return Known()
    }

    private mutating func refused(
        _ exchange: ExchangeRecord, inStep step: UInt32, isMeasured: Bool, at now: Int64
    ) -> Known {
        var request = SessionExpiry.RefusedRequest(
            handedOverAt: exchange.handedOver.nanoseconds, access: exchange.tokens?.access)
        (request.call, request.step) = (exchange.tokens?.call ?? 0, step)
        let answer = expiries.refused(
            request, of: exchange.endpoint, user: Int(exchange.cause.user), isMeasured: isMeasured,
            at: now)
        return Known(begins: answer.begins, counts: answer.counts)
    }

    private mutating func refresh(
        _ exchange: ExchangeRecord, inStep step: UInt32, isMeasured: Bool, at now: Int64
    ) -> Known {
        let user = Int(exchange.cause.user)
        var refresh = SessionExpiry.EndedRefresh(
            handedOverAt: exchange.handedOver.nanoseconds,
            isPrompted: exchange.cause.refreshFor != nil, exchange.meaning)
        refresh.refused = refresh.isPrompted ? requests.refusedToken(of: exchange.cause) : nil
        refresh.access = exchange.tokens?.access
        refresh.refresh = exchange.tokens?.refresh
        let found = expiries.ended(
            refresh, user: user, isRepeated: exchange.cause.attempt > 0, isMeasured: isMeasured,
            at: now)
        if exchange.meaning == .success, let tokens = exchange.tokens {
            expiries.got(tokens, user: user)
        }
        let isUntold = !refresh.isPrompted && found.cause != .unpromptedRefresh
        let refused = isUntold ? expiries.lastRefused(user: user, inStep: step) : nil
        return Known(
            refresh: found.cause, refused: refused, counts: found.counts, loops: found.loops)
    }
}
