import SquallBackend
import SquallReport

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
