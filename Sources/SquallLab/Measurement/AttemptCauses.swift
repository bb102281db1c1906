import SquallBackend
import SquallHTTP
import SquallKernel

/// Finds the one cause of each attempt on the wire, from all attempts before it.
struct AttemptCauses {
    private(set) var requests = RequestLedger()
    private(set) var expiries: ExpiryLedger

    init(users: Int, unless isStopped: () -> Bool) {
        expiries = ExpiryLedger(users: users, unless: isStopped)
    }

    /// What is known of an attempt that has ended, or never will.
    struct Finding {
        /// The cause for which it was sent.
        let cause: WireCause
        /// Whether its answer is the first to say that the user's token has expired.
        var beginsExpiry = false
        /// Whether it is the first measured attempt of an expiry.
        var countsExpiry = false
        /// How often its call has been refused as expired, including now; 0 when this answer was
        /// another one.
        let refusals: Int64
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

    /// The backend has taken an attempt, which may be the first of a step's call.
    mutating func began(_ cause: RequestCause, _ endpoint: Endpoint, in step: OpenStep?) {
        requests.began(cause, endpoint, in: step)
    }

    /// Notes that an attempt is sent; returns its request's wait for a new token, if any.
    mutating func attemptSent(_ cause: RequestCause, at now: Int64) -> Int64? {
        requests.attemptSent(cause, at: now)
    }

    /// An attempt has ended.
    mutating func ended(
        _ exchange: ExchangeRecord, isMeasured: Bool, at now: Int64
    ) -> Finding {
        let user = Int(exchange.cause.user)
        let known = expiry(of: exchange, user: user, isMeasured: isMeasured, at: now)
        let (cause, origin) = requests.attemptEnded(
            exchange, refresh: known.refresh, isMeasured: isMeasured, at: now)
        return Finding(
            cause: cause, beginsExpiry: known.begins, countsExpiry: known.counts,
            refusals: origin.refusals, step: origin.step,
            origin: requests.endpoint(origin.refused))
    }

    /// Notes an attempt that is under way when the run is over.
    mutating func neverEnded(
        _ exchange: ExchangeRecord, isMeasured: Bool, at now: Int64
    ) -> Finding {
        let user = Int(exchange.cause.user)
        let known = expiry(of: exchange, user: user, isMeasured: isMeasured, at: now)
        let (cause, origin) = requests.attemptNeverEnded(
            exchange, refresh: known.refresh, isMeasured: isMeasured)
        return Finding(
            cause: cause, countsExpiry: known.counts, refusals: 0, step: origin.step,
            origin: requests.endpoint(origin.refused))
    }

    /// Notes a request's end, or that it has none; returns its wasted attempts and its wait.
    mutating func requestEnded(
        user: UInt64, request: UInt32, failed: Bool, at now: Int64
    ) -> (wastedAttempts: Int64, waited: Int64?) {
        let wastedBefore = requests.failedAttempts
        let waited = requests.requestEnded(user: user, request: request, failed: failed, at: now)
        return (requests.failedAttempts - wastedBefore, waited)
    }

    /// Notes that a phone's retry budget was asked.
    mutating func budgetAsked(isGranted: Bool) { requests.budgetAsked(isGranted: isGranted) }

    /// What an attempt means for its user's expiries; for a refresh, its reason.
    private mutating func expiry(
        of exchange: ExchangeRecord, user: Int, isMeasured: Bool, at now: Int64
    ) -> (refresh: WireCause?, begins: Bool, counts: Bool) {
        guard exchange.endpoint.role == .refresh else {
            if exchange.endpoint.role == .signIn, exchange.meaning == .success {
                expiries.renewed(user: user, at: now)
            }
            guard exchange.meaning == .expired else { return (nil, false, false) }
            let answer = expiries.answeredExpired(
                user: user, handedOver: exchange.handedOver.nanoseconds, isMeasured: isMeasured)
            return (nil, answer.begins, answer.counts)
        }
        let succeeded = exchange.meaning == .success
        guard exchange.cause.attempt == 0 else {
            if succeeded { expiries.renewed(user: user, at: now) }
            return (.repeatedRefresh, false, false)
        }
        let refresh = expiries.refreshEnded(
            user: user, handedOver: exchange.handedOver.nanoseconds,
            isPrompted: exchange.cause.refreshFor != nil, succeeded: succeeded,
            isMeasured: isMeasured, at: now)
        return (refresh.cause, false, refresh.counts)
    }
}
