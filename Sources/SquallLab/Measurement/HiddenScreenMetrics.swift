import SquallBackend
import SquallHTTP
import SquallReport

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
