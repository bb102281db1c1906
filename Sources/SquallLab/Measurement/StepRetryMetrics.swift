import SquallBackend
import SquallHTTP
import SquallReport

/// Counts retries, by step and endpoint; retries without a step have no step.
final class StepRetryMetrics: ExchangeListener {
    static let metrics: [Metric] = [.retries]
    static let heededExchanges: EventTraits = [.repeated, .unended]

    private let run: MeasuredRun
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
            step: exchange.finding.step?.number, population: exchange.user.population,
            endpoint: exchange.record.endpoint)
        let slot = known.slot(key) {
            let tags = run.tags(key.step, of: key.population, [.endpoint: key.endpoint.name])
            return run.metrics.counter(MetricKey(.retries, tags))
        }
        run.count(exchange.record, in: slot)
    }
}
