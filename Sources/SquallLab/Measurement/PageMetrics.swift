import SquallBackend
import SquallReport

/// Counts the pages of lists that apps got, and what was on them, by app and endpoint.
final class PageMetrics: ExchangeListener {
    static let metrics: [Metric] = [.pages, .items]
    static let heededExchanges: EventTraits = .page

    private let run: MeasuredRun
    /// Made when a list's first page arrives.
    private var known: [Key: Slots] = [:]

    private struct Key: Hashable {
        let population: Int
        let endpoint: Endpoint
    }

    private struct Slots {
        let pages, items: Metrics.CounterSlot
    }

    init(_ run: MeasuredRun) { self.run = run }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isUseful, let page = exchange.record.page else { return }
        let slots = slots(
            of: Key(
                population: exchange.user.population, endpoint: exchange.record.endpoint))
        run.metrics.add(1, to: slots.pages)
        run.metrics.add(Int64(page.items.count), to: slots.items)
    }

    private func slots(of key: Key) -> Slots {
        if let slots = known[key] { return slots }
        let tags = run.populations[key.population].tags([.endpoint: key.endpoint.name])
        let slots = Slots(
            pages: run.metrics.counter(MetricKey(.pages, tags)),
            items: run.metrics.counter(MetricKey(.items, tags)))
        known[key] = slots
        return slots
    }
}
