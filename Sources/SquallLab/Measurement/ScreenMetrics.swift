import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport
import SquallServices

/// Counts calls of screens that are covered or replaced, including refreshes for them.
final class HiddenScreenMetrics: ExchangeListener {
    static let metrics: [Metric] = [.hiddenScreenCalls]
    static let observedExchanges: EventTraits = .hidden

    private let run: MeasuredRun
    private var known = SlotTable<Metrics.CounterSlot>()

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.hiddenScreenCalls])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let cause = exchange.record.cause
        guard let step = exchange.finding.step?.number, cause.attempt == 0 else { return }
        let (endpoint, screen) = (exchange.record.endpoint, cause.screen)
        let slot = known.slot(step, endpoint, Int(screen.rawValue), of: 3) {
            let tags: [TagKey: String] = [.cause: screen.name, .endpoint: endpoint.name]
            return run.metrics.counter(MetricKey(.hiddenScreenCalls, run.steps[step].tags(tags)))
        }
        run.metrics.add(1, to: slot)
    }
}

/// Counts the pages of lists that apps got, and the items on them, by app and endpoint.
final class PageMetrics: ExchangeListener {
    static let metrics: [Metric] = [.pages, .items]
    static let observedExchanges: EventTraits = .page

    private let run: MeasuredRun
    @exclusivity(unchecked) private var known = SlotTable<Slots>()

    private struct Slots {
        let pages, items: Metrics.CounterSlot
    }

    init(_ run: MeasuredRun) { self.run = run }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard let page = exchange.record.page else { return }
        let (population, endpoint) = (exchange.user.population, exchange.record.endpoint)
        let slots = known.slot(population, endpoint) {
            let tags = run.tags(population, endpoint)
            return Slots(
                pages: run.metrics.counter(MetricKey(.pages, tags)),
                items: run.metrics.counter(MetricKey(.items, tags)))
        }
        run.metrics.add(1, to: slots.pages)
        run.metrics.add(Int64(page.items.count), to: slots.items)
    }
}

/// Records the durations of pictures, by app: pictures of a separate session, for which the screen
/// does not wait.
final class PictureWaitMetrics: ExchangeListener {
    static let metrics: [Metric] = [.pictureWait]
    static let observedExchanges: EventTraits = .beside

    private let run: MeasuredRun
    /// By population.
    private let waits: [Metrics.TrendSlot]

    init(_ run: MeasuredRun) {
        self.run = run
        waits = run.trends(.pictureWait)
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.record.cause.pool > 0 else { return }
        let wait = exchange.record.ended.nanoseconds - exchange.record.handedOver.nanoseconds
        run.metrics.record(wait, in: waits[exchange.user.population])
    }
}

extension Metric {
    static let pictureWait = Metric(
        "picture_wait", .trend, ofUser,
        "Time of an attempt to load a picture, which no screen waits for.")
}

/// Counts payments without a charge; audits tell of the others at the end.
final class PaymentMetrics: BackendListener {
    static let metrics: [Metric] = [.payments]

    private let run: MeasuredRun

    init?(_ run: MeasuredRun) {
        guard !run.isDriven else { return nil }
        self.run = run
        run.startAtZero([.payments])
    }

    func paymentPageClosed(on user: User, _ answer: PaymentAnswer) {
        switch answer {
        case .cancelled: count("cancelled", user)
        case .refused: count("refused", user)
        // The end of the run shows what money moved, and what for.
        case .paid, .silent, .paidWithoutReceipt, .paidLate, .unreached: return
        }
    }

    private func count(_ status: String, _ user: User) {
        let tags = run.populations[user.population].tags([.status: status])
        run.metrics.add(1, to: run.metrics.counter(MetricKey(.payments, tags)))
    }
}
