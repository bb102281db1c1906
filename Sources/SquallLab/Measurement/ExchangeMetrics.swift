import SquallBackend
import SquallHTTP
import SquallReport

/// Counts attempts and how long they took, by app, cause, endpoint and outcome.
final class ExchangeMetrics: ExchangeListener {
    static let metrics: [Metric] = [
        .requests, .logicalRequests, .requestDuration, .connectionWait, .requestFailed,
    ]
    static let heededExchanges: EventTraits = [.any, .unended]

    private let run: MeasuredRun
    @exclusivity(unchecked) private var known = SlotTable<Slots>()
    /// The outcomes so far, in order of appearance; each has rows for every population.
    @exclusivity(unchecked) private var outcomes: [ExchangeRecord.Outcome] = []

    private struct Slots {
        let requests: Metrics.CounterSlot
        let calls: Metrics.CounterSlot
        let duration, connectionWait: Metrics.TrendSlot
        let failed: Metrics.RatioSlot
    }

    init(_ run: MeasuredRun) { self.run = run }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured else { return }
        let record = exchange.record
        let slots = slots(of: exchange)
        run.count(record, in: slots.requests)
        if record.cause.attempt == 0 { run.count(record, in: slots.calls) }
        guard record.outcome != .neverEnded else { return }
        if let duration = record.duration { run.metrics.record(duration, in: slots.duration) }
        run.metrics.record(record.connectionWait, in: slots.connectionWait)
        run.metrics.add(record.meaning == .success ? 0 : 1, of: 1, to: slots.failed)
    }

    private func slots(of exchange: EndedExchange) -> Slots {
        let (record, population) = (exchange.record, exchange.user.population)
        let outcome = outcomes.firstIndex(of: record.outcome) ?? outcomes.count
        if outcome == outcomes.count { outcomes.append(record.outcome) }
        let row = outcome * run.populations.count + population
        return known.slot(row, record.endpoint, exchange.kind.rawValue, of: 3) {
            let endpoint = run.tags(population, record.endpoint)
            let tags = endpoint.merging([
                .cause: "\(exchange.kind)", .status: record.outcome.name,
            ]) { known, _ in known }
            return Slots(
                requests: run.metrics.counter(MetricKey(.requests, tags)),
                calls: run.metrics.counter(MetricKey(.logicalRequests, endpoint)),
                duration: run.metrics.trend(MetricKey(.requestDuration, tags)),
                connectionWait: run.metrics.trend(MetricKey(.connectionWait, endpoint)),
                failed: run.metrics.ratio(MetricKey(.requestFailed, tags)))
        }
    }
}

extension ExchangeRecord.Outcome {
    /// A status, or the name of the error.
    var name: String {
        switch self {
        case .status(let status): String(status)
        case .error(let code): "\(code)"
        case .neverEnded: "neverEnded"
        }
    }
}
