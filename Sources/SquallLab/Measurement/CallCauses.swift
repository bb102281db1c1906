import SquallBackend
import SquallHTTP
import SquallKernel

/// Finds the one cause of each call on the wire, from all calls before it.
struct CallCauses {
    private(set) var requests = RequestLedger()
    private(set) var expiries: ExpiryLedger

    init(users: Int) { expiries = ExpiryLedger(users: users) }

    /// Forgets what was counted but not what is under way, at the end of a warm-up.
    mutating func restart() {
        requests.restart()
        expiries.restart()
    }

    /// An attempt goes out; how long its request waited for a new token, if it did.
    mutating func attemptSent(_ cause: RequestCause, at now: Int64) -> Int64? {
        requests.attemptSent(cause, at: now)
    }

    /// A call has ended: what it was sent for, and whether it begins an expiry.
    mutating func ended(
        _ exchange: ExchangeRecord, at now: Int64
    ) -> (cause: WireCause, beginsExpiry: Bool) {
        let user = Int(exchange.cause.user)
        guard exchange.endpoint.role == .refresh else {
            let beginsExpiry =
                exchange.meaning == .expired
                && expiries.answeredExpired(
                    user: user, handedOver: exchange.handedOver.nanoseconds)
            if exchange.endpoint.role == .signIn, exchange.meaning == .success {
                expiries.renewed(user: user, at: now)
            }
            return (requests.attemptEnded(exchange, refresh: nil, at: now), beginsExpiry)
        }
        let refresh = refreshEnded(exchange, user: user, at: now)
        return (requests.attemptEnded(exchange, refresh: refresh, at: now), false)
    }

    /// A request has ended, or will never end: its attempts if it failed, and its wait.
    mutating func requestEnded(
        user: UInt64, request: UInt32, failed: Bool, at now: Int64
    ) -> (wastedAttempts: Int64, waited: Int64?) {
        let wastedBefore = requests.failedAttempts
        let waited = requests.requestEnded(user: user, request: request, failed: failed, at: now)
        return (requests.failedAttempts - wastedBefore, waited)
    }

    /// A retry was asked of its phone's budget.
    mutating func budgetAsked(isGranted: Bool) { requests.budgetAsked(isGranted: isGranted) }

    private mutating func refreshEnded(
        _ exchange: ExchangeRecord, user: Int, at now: Int64
    ) -> WireCause {
        let succeeded = exchange.meaning == .success
        guard exchange.cause.attempt == 0 else {
            if succeeded { expiries.renewed(user: user, at: now) }
            return .repeatedRefresh
        }
        return expiries.refreshEnded(
            user: user, handedOver: exchange.handedOver.nanoseconds,
            isPrompted: exchange.cause.refreshFor != nil, succeeded: succeeded, at: now)
    }
}
