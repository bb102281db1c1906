import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport
import SquallServices

/// What happens on the wire and to tokens.
extension Recorder: BackendObserver {
    func exchangeEnded(_ exchange: ExchangeRecord) {
        totals.exchangesEnded += 1
        wire.end(handedOver: exchange.handedOver.nanoseconds, at: now)
        let user = Int(exchange.cause.user)
        let kind = ExchangeKind(
            app: app(of: user), cause: exchange.cause.kind, endpoint: exchange.endpoint,
            outcome: exchange.outcome)
        let series = series(of: kind)
        metrics.add(1, to: series.requests)
        if let logical = series.logical { metrics.add(1, to: logical) }
        let duration = exchange.ended.nanoseconds - exchange.handedOver.nanoseconds
        metrics.record(duration, in: series.duration)
        count(duration, as: .wire)
        metrics.add(exchange.meaning == .success ? 0 : 1, of: 1, to: series.failed)
        countAnswer(exchange.meaning)
        countUse(of: exchange, kind)
        countCause(of: exchange, user: user)
        attribute(exchange, user: user)
        trace?.add(exchange, ofApp: apps[kind.app].app)
        simulation.record(
            .exchangeEnded, user: exchange.cause.user, request: UInt64(exchange.cause.request),
            outcome: UInt64(bitPattern: Int64(exchange.outcome.code)))
    }

    func accessTokenIssued(to user: UInt64, expiresAt expiry: Instant) {
        tokens.issued(to: Int(user), expiresAt: expiry.nanoseconds)
    }

    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        tokens.expired(at: now.nanoseconds, of: isConcerned)
    }

    func faultStruck(_ fault: Fault) {
        simulation.record(.faultStruck, user: 0, request: 0, outcome: 0)
    }

    func paymentPageClosed(on user: UInt64, _ answer: PaymentAnswer) {
        let status: String
        switch answer {
        case .cancelled: status = "cancelled"
        case .refused: status = "refused"
        // Money moved: whether for something is known when the run is over.
        case .paid, .silent, .paidWithoutReceipt: return
        }
        let app = apps[app(of: Int(user))].app
        metrics.add(
            1, to: metrics.counter(MetricKey(.payments, [.app: app, .status: status])))
    }

    private func series(of kind: ExchangeKind) -> ExchangeSeries {
        if let known = exchangeSeries[kind] { return known }
        let series = ExchangeSeries(kind, app: apps[kind.app].app, in: &metrics)
        exchangeSeries[kind] = series
        return series
    }

    private func countAnswer(_ meaning: AnswerMeaning) {
        switch meaning {
        case .success: count(.succeeded)
        case .expired: count(.expired)
        case .signedOut, .refused, .failure: count(.failed)
        case .none: count(.lost)
        }
    }

    /// Counts what the app asked for and got, and the pages of lists among it.
    private func countUse(of exchange: ExchangeRecord, _ kind: ExchangeKind) {
        guard exchange.meaning == .success, kind.endpoint.role != .refresh else { return }
        count(.goodput)
        guard let page = exchange.page else { return }
        let series = pageSeries(app: kind.app, kind.endpoint)
        metrics.add(1, to: series.pages)
        metrics.add(Int64(page.items.count), to: series.items)
        count(.pages)
        count(.items, Int64(page.items.count))
        read(page, exchange, user: Int(exchange.cause.user))
    }

    private func pageSeries(app: Int, _ endpoint: Endpoint) -> PageSeries {
        let key = PageSeries.Key(app: app, endpoint: endpoint)
        if let known = pageSeries[key] { return known }
        let series = PageSeries(endpoint, app: apps[app].app, in: &metrics)
        pageSeries[key] = series
        return series
    }

    /// Finds the one cause of a wire call.
    private func countCause(of exchange: ExchangeRecord, user: Int) {
        if exchange.endpoint.role != .refresh, exchange.meaning == .expired {
            let isFirst = expiries.answeredExpired(
                user: user, handedOver: exchange.handedOver.nanoseconds)
            note(of: user) { $0.answeredExpired(isFirst: isFirst, &$1, at: $2) }
        }
        let heldBefore = requests.held
        let refresh = exchange.endpoint.role == .refresh ? refreshEnded(exchange, user: user) : nil
        let cause = requests.attemptEnded(exchange, refresh: refresh, at: now)
        note(of: user) { $0.callEnded(cause, &$1, at: $2) }
        if requests.held != heldBefore { count(.held, requests.held) }
    }

    private func refreshEnded(_ exchange: ExchangeRecord, user: Int) -> WireCause {
        guard exchange.cause.attempt == 0 else { return .repeatedRefresh }
        return expiries.refreshEnded(
            user: user, isPrompted: exchange.cause.refreshFor != nil,
            succeeded: exchange.meaning == .success, at: now)
    }

    /// Adds what concerns tokens to the step the exchange belongs to, while that one runs.
    private func attribute(_ exchange: ExchangeRecord, user: Int) {
        let cause = exchange.cause
        if exchange.endpoint.role == .refresh { count(.refreshes) }
        guard let step = openSteps[user], step.ordinal == cause.step else { return }
        let endpoint = exchange.endpoint
        if endpoint.role == .refresh {
            openSteps[user]?.refreshes += 1
            openSteps[user]?.lastRefresh = exchange.outcome
            let origin = step.expired.first { $0.request == cause.refreshFor }?.endpoint
            metrics.add(1, to: refreshes(causedBy: origin, in: step.series))
        } else if exchange.meaning == .expired {
            openSteps[user]?.expired.append((cause.request, endpoint))
            metrics.add(1, to: expiredAnswers(of: endpoint, in: step.series))
        }
        if cause.attempt > 0 { metrics.add(1, to: retries(of: endpoint, in: step.series)) }
    }
}

extension ExchangeRecord.Outcome {
    /// A status, or the negative number of the error.
    fileprivate var code: Int {
        switch self {
        case .status(let status): status
        case .error(let code): code.rawValue
        }
    }
}

extension EventKind {
    fileprivate static let exchangeEnded = EventKind("exchange ended")
    fileprivate static let faultStruck = EventKind("fault struck")
}
