import SquallBackend
import SquallHTTP
import SquallReport

/// Counts calls of screens that are covered or replaced, including refreshes for them.
final class HiddenScreenMetrics: ExchangeListener {
    static let metrics: [Metric] = [.hiddenScreenCalls]
    static let heededExchanges: EventTraits = .hidden

    private let run: MeasuredRun
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
        guard let step = exchange.finding.step?.number, cause.attempt == 0 else { return }
        let key = Key(step: step, endpoint: exchange.record.endpoint, screen: cause.screen)
        let slot = known.slot(key) {
            let tags: [TagKey: String] = [
                .cause: key.screen.name, .endpoint: key.endpoint.name,
            ]
            return run.metrics.counter(MetricKey(.hiddenScreenCalls, run.steps[step].tags(tags)))
        }
        run.metrics.add(1, to: slot)
    }
}
