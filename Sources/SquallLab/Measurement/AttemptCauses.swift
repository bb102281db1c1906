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

    /// An attempt has ended, or is under way when the run is over.
    mutating func ended(
        _ exchange: ExchangeRecord, isMeasured: Bool, at now: Int64
    ) -> Finding {
        let known = expiry(of: exchange, isMeasured: isMeasured, at: now)
        let (cause, origin) = requests.attemptEnded(
            exchange, refresh: known.refresh, isMeasured: isMeasured, at: now)
        return Finding(
            cause: cause, beginsExpiry: known.begins, countsExpiry: known.counts,
            refusals: origin.refusals, step: origin.step,
            origin: requests.endpoint(origin.refused))
    }

    /// What an attempt means for its user's expiries; for a refresh, its reason.
    private mutating func expiry(
        of exchange: ExchangeRecord, isMeasured: Bool, at now: Int64
    ) -> (refresh: WireCause?, begins: Bool, counts: Bool) {
        let user = Int(exchange.cause.user)
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
