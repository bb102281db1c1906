import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices

/// What happens on the wire and to tokens.
extension Recorder: BackendObserver {
    func exchangeEnded(_ record: ExchangeRecord) {
        let user = user(Int(record.cause.user))
        let heldBefore = causes.requests.held
        let (cause, beginsExpiry) = causes.ended(record, at: user.now)
        let held = causes.requests.held
        let open = openSteps[user.number].flatMap { $0.ordinal == record.cause.step ? $0 : nil }
        let exchange = EndedExchange(
            user: user, record: record, kind: record.cause.kind, cause: cause,
            beginsExpiry: beginsExpiry, held: held == heldBefore ? nil : held,
            step: open.map { Int($0.number) })
        exchanges.tell(of: exchange.traits) { $0.exchangeEnded(exchange) }
    }

    func accessTokenIssued(to user: UInt64, expiresAt expiry: Instant) {
        tokens.issued(to: Int(user), expiresAt: expiry.nanoseconds)
    }

    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        tokens.expired(at: now.nanoseconds, of: isConcerned)
    }

    func lineLeft(_ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64) {
        guard !servers.isEmpty else { return }
        let user = user(Int(cause.user))
        for listener in servers { listener.lineLeft(endpoint, after: wait, user) }
    }

    func connectionFound(
        _ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64
    ) {
        guard !servers.isEmpty else { return }
        let user = user(Int(cause.user))
        for listener in servers { listener.connectionFound(endpoint, after: wait, user) }
    }

    func serverChanged(busy: Int, waiting: Int) {
        let now = run.now
        for listener in servers {
            listener.serverChanged(busy: Int64(busy), waiting: Int64(waiting), at: now)
        }
    }

    func namesToken(of cause: RequestCause, _ meaning: AnswerMeaning) -> Bool {
        examples.shows(user: Int(cause.user), meaning)
    }

    func faultStruck(_ fault: Fault) {
        for listener in farSide { listener.faultStruck(fault) }
    }

    func paymentPageClosed(on user: UInt64, _ answer: PaymentAnswer) {
        let user = self.user(Int(user))
        for listener in farSide { listener.paymentPageClosed(on: user, answer) }
    }
}
