import SquallBackend
import SquallHTTP
import SquallReport

/// Counts retries, by step and endpoint; retries without a step have no step.
final class StepRetryMetrics: ExchangeListener {
    static let metrics: [Metric] = [.retries]
    static let observedExchanges: EventTraits = [.repeated, .unended]

    private let run: MeasuredRun
    private var known = SlotTable<Metrics.CounterSlot>()

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.retries])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured, exchange.kind == .retry else { return }
        let (step, population) = (exchange.finding.step?.number, exchange.user.population)
        let endpoint = exchange.record.endpoint
        let slot = known.slot(run.row(step, of: population), endpoint) {
            let tags = run.tags(step, of: population, [.endpoint: endpoint.name])
            return run.metrics.counter(MetricKey(.retries, tags))
        }
        run.count(exchange.record, in: slot)
    }
}
