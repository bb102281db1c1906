import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices

/// What happens on the wire and to tokens.
extension Recorder: BackendObserver {
    func attemptTaken(_ cause: RequestCause, _ endpoint: Endpoint) {
        let user = user(Int(cause.user))
        let open = openSteps[user.number].flatMap { $0.ordinal == cause.step ? $0 : nil }
        causes.requests.began(cause, endpoint, in: open)
        let kind = AttemptKind(cause, endpoint)
        attempts.tell { $0.attemptTaken(kind, user) }
    }

    var followsTokens: Bool { tokenOwners.find != nil }

    func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        tokenOwners.look(
            at: cause, endpoint, shows: shows, at: Instant(nanoseconds: run.now))
    }

    func exchangeEnded(_ record: consuming ExchangeRecord) {
        let user = user(Int(record.cause.user))
        let heldBefore = causes.requests.held
        let isMeasured = run.measures(sentAt: record.handedOver)
        let finding = causes.ended(
            record, inStep: openSteps[user.number]?.ordinal, isMeasured: isMeasured, at: user.now)
        let held = causes.requests.held
        let kind = AttemptKind(record.cause, record.endpoint)
        let exchange = EndedExchange(
            user: user, record: record, kind: kind, isMeasured: isMeasured, finding: finding,
            held: held == heldBefore ? nil : held)
        exchanges.tell(of: exchange.traits) { $0.exchangeEnded(exchange) }
    }

    func lineLeft(_ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64) {
        let user = user(Int(cause.user))
        servers.tell { $0.lineLeft(endpoint, after: wait, user) }
    }

    func connectionFound(
        _ cause: RequestCause, _ endpoint: Endpoint, afterNanoseconds wait: Int64
    ) {
        let user = user(Int(cause.user))
        servers.tell { $0.connectionFound(endpoint, after: wait, user) }
    }

    func serverChanged(busy: Int, waiting: Int) {
        let now = run.now
        servers.tell { $0.serverChanged(busy: Int64(busy), waiting: Int64(waiting), at: now) }
    }

    var keepsServerLog: Bool { serverLog != nil }

    func requestReplied(_ record: ServerRecord) { serverLog?(record) }

    func namesToken(of cause: RequestCause, _ meaning: AnswerMeaning) -> Bool {
        examples.shows(user: Int(cause.user), meaning)
    }

    func tracesTokens(
        of cause: RequestCause, _ endpoint: Endpoint, _ meaning: AnswerMeaning
    ) -> Bool {
        let step = openSteps[Int(cause.user)]?.ordinal
        return causes.follows(cause, endpoint, meaning, inStep: step)
    }

    func faultStruck(_ fault: Fault) {
        for listener in backend { listener.faultStruck(fault) }
    }

    func paymentPageClosed(on user: UInt64, _ answer: PaymentAnswer) {
        let user = self.user(Int(user))
        for listener in backend { listener.paymentPageClosed(on: user, answer) }
    }
}
