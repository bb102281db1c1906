import SquallBackend
import SquallHTTP
import SquallReport

/// The traits by which results tell attempts apart.
enum ExchangeKind {
    /// Why something was sent.
    enum Cause: Int {
        /// A step asked for it.
        case first
        /// It was sent before and failed.
        case retry
        /// It trades an old token for a new one.
        case refresh

        var name: String { "\(self)" }
    }
}

/// Counts attempts and how long they took, by app, cause, endpoint and outcome.
final class ExchangeMetrics: ExchangeListener {
    static let metrics: [Metric] = [
        .requests, .logicalRequests, .requestDuration, .connectionWait, .requestFailed,
    ]

    private let run: MeasuredRun
    /// Made when the first attempt of its kind ends.
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
        let slots = count(exchange)
        if let duration = record.duration { run.metrics.record(duration, in: slots.duration) }
        run.metrics.record(record.connectionWait, in: slots.connectionWait)
        run.metrics.add(record.meaning == .success ? 0 : 1, of: 1, to: slots.failed)
    }

    func exchangeNeverEnded(_ exchange: EndedExchange) {
        if exchange.isMeasured { _ = count(exchange) }
    }

    private func count(_ exchange: EndedExchange) -> Slots {
        let record = exchange.record
        let slots = slots(of: record, exchange.kind, exchange.user.population)
        run.count(record, in: slots.requests)
        if record.cause.attempt == 0 { run.count(record, in: slots.calls) }
        return slots
    }

    private func slots(
        of record: ExchangeRecord, _ cause: ExchangeKind.Cause, _ population: Int
    ) -> Slots {
        let outcome = outcomes.firstIndex(of: record.outcome) ?? outcomes.count
        if outcome == outcomes.count { outcomes.append(record.outcome) }
        let row = outcome * run.populations.count + population
        if let slots = known[row, record.endpoint, cause.rawValue, of: 3] { return slots }
        let endpoint = run.populations[population].tags([.endpoint: record.endpoint.name])
        let tags = endpoint.merging([.cause: cause.name, .status: record.outcome.name]) {
            known, _ in known
        }
        let slots = Slots(
            requests: run.metrics.counter(MetricKey(.requests, tags)),
            calls: run.metrics.counter(MetricKey(.logicalRequests, endpoint)),
            duration: run.metrics.trend(MetricKey(.requestDuration, tags)),
            connectionWait: run.metrics.trend(MetricKey(.connectionWait, endpoint)),
            failed: run.metrics.ratio(MetricKey(.requestFailed, tags)))
        known[row, record.endpoint, cause.rawValue, of: 3] = slots
        return slots
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
