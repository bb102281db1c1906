import SquallBackend
import SquallHTTP
import SquallReport

/// Counts calls of screens that are covered or replaced, including refreshes for them.
final class HiddenScreenMetrics: ExchangeListener {
    static let metrics: [Metric] = [.hiddenScreenCalls]
    static let heededExchanges: EventTraits = .hidden

    private let run: MeasuredRun
    /// Made when the first call of its kind ends.
    private var known: [Key: Metrics.CounterSlot] = [:]

    private struct Key: Hashable {
        let step: Int
        let endpoint: Endpoint
        let screen: ScreenState
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.hiddenScreenCalls])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let cause = exchange.record.cause
        guard let step = exchange.step?.number, cause.attempt == 0 else { return }
        let key = Key(step: step, endpoint: exchange.record.endpoint, screen: cause.screen)
        run.metrics.add(1, to: known[key] ?? slot(of: key))
    }

    private func slot(of key: Key) -> Metrics.CounterSlot {
        let tags = run.steps[key.step].tags([
            .cause: key.screen.name, .endpoint: key.endpoint.name,
        ])
        let slot = run.metrics.counter(MetricKey(.hiddenScreenCalls, tags))
        known[key] = slot
        return slot
    }
}
