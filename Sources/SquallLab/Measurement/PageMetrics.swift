import SquallBackend
import SquallReport

/// Counts the pages of lists that apps got, and the items on them, by app and endpoint.
final class PageMetrics: ExchangeListener {
    static let metrics: [Metric] = [.pages, .items]
    static let heededExchanges: EventTraits = .page

    private let run: MeasuredRun
    /// Made when a list's first page arrives.
    @exclusivity(unchecked) private var known = SlotTable<Slots>()

    private struct Slots {
        let pages, items: Metrics.CounterSlot
    }

    init(_ run: MeasuredRun) { self.run = run }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard let page = exchange.record.page else { return }
        let slots = slots(of: exchange.record.endpoint, exchange.user.population)
        run.metrics.add(1, to: slots.pages)
        run.metrics.add(Int64(page.items.count), to: slots.items)
    }

    private func slots(of endpoint: Endpoint, _ population: Int) -> Slots {
        if let slots = known[population, endpoint] { return slots }
        let tags = run.populations[population].tags([.endpoint: endpoint.name])
        let slots = Slots(
            pages: run.metrics.counter(MetricKey(.pages, tags)),
            items: run.metrics.counter(MetricKey(.items, tags)))
        known[population, endpoint] = slots
        return slots
    }
}
