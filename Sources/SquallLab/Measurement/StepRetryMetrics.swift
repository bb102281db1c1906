import SquallBackend
import SquallHTTP
import SquallReport

/// Counts retries, by step and endpoint; retries without a step have no step.
final class StepRetryMetrics: ExchangeListener {
    static let metrics: [Metric] = [.retries]
    static let heededExchanges: EventTraits = .repeated

    private let run: MeasuredRun
    /// Made when the first retry of its kind ends.
    private var known: [Key: Metrics.CounterSlot] = [:]

    private struct Key: Hashable {
        let step: Int?
        let population: Int
        let endpoint: Endpoint
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.retries])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured, exchange.kind == .retry else { return }
        let key = Key(
            step: exchange.step?.number, population: exchange.user.population,
            endpoint: exchange.record.endpoint)
        let slot = known[key] ?? slot(of: key)
        run.count(exchange.record, in: slot)
    }

    func exchangeNeverEnded(_ exchange: EndedExchange) { exchangeEnded(exchange) }

    private func slot(of key: Key) -> Metrics.CounterSlot {
        let endpoint: [TagKey: String] = [.endpoint: key.endpoint.name]
        let tags =
            key.step.map { run.steps[$0].tags(endpoint) }
            ?? run.populations[key.population].tags(endpoint)
        let slot = run.metrics.counter(MetricKey(.retries, tags))
        known[key] = slot
        return slot
    }
}
