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
        for listener in exchanges { listener.exchangeEnded(exchange) }
    }

    func accessTokenIssued(to user: UInt64, expiresAt expiry: Instant) {
        tokens.issued(to: Int(user), expiresAt: expiry.nanoseconds)
    }

    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        tokens.expired(at: now.nanoseconds, of: isConcerned)
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
