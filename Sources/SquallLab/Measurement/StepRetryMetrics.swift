import SquallBackend
import SquallHTTP
import SquallReport

/// Counts attempts that were not their request's first, by step and endpoint.
final class StepRetryMetrics: ExchangeListener {
    static let metrics: [Metric] = [.retries]
    static let heededExchanges: EventTraits = .repeated

    private let run: MeasuredRun
    /// Made when the first of its kind ends.
    private var known: [Key: Metrics.CounterSlot] = [:]

    private struct Key: Hashable {
        let step: Int
        let endpoint: Endpoint
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.retries])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard let step = exchange.step, exchange.record.cause.attempt > 0 else { return }
        let key = Key(step: step, endpoint: exchange.record.endpoint)
        let slot = known[key] ?? slot(of: key)
        run.metrics.add(1, to: slot)
    }

    private func slot(of key: Key) -> Metrics.CounterSlot {
        let tags = run.steps[key.step].tags([.endpoint: key.endpoint.name])
        let slot = run.metrics.counter(MetricKey(.retries, tags))
        known[key] = slot
        return slot
    }
}
