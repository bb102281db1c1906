import SquallBackend
import SquallHTTP
import SquallReport

/// What tells attempts apart in the results.
struct ExchangeKind: Hashable {
    /// The position of the population.
    let population: Int
    let cause: Cause
    let endpoint: Endpoint
    let outcome: ExchangeRecord.Outcome

    /// Why something was sent.
    enum Cause: String {
        /// A step asked for it.
        case first
        /// It was sent before and failed.
        case retry
        /// It trades an old token for a new one.
        case refresh
    }
}

/// Counts attempts and how long they took, by app, cause, endpoint and outcome.
final class ExchangeMetrics: ExchangeListener {
    static let metrics: [Metric] = [
        .requests, .logicalRequests, .requestDuration, .connectionWait, .requestFailed,
    ]

    private let run: MeasuredRun
    /// Made when the first of a kind ends.
    private var known: [ExchangeKind: Slots] = [:]

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
        let slots = slots(
            of: ExchangeKind(
                population: exchange.user.population, cause: exchange.kind,
                endpoint: record.endpoint, outcome: record.outcome))
        run.count(record, in: slots.requests)
        if record.cause.attempt == 0 { run.count(record, in: slots.calls) }
        return slots
    }

    private func slots(of kind: ExchangeKind) -> Slots {
        if let slots = known[kind] { return slots }
        let endpoint = run.populations[kind.population].tags([.endpoint: kind.endpoint.name])
        let tags = endpoint.merging([
            .cause: kind.cause.rawValue, .status: kind.outcome.name,
        ]) { known, _ in known }
        let slots = Slots(
            requests: run.metrics.counter(MetricKey(.requests, tags)),
            calls: run.metrics.counter(MetricKey(.logicalRequests, endpoint)),
            duration: run.metrics.trend(MetricKey(.requestDuration, tags)),
            connectionWait: run.metrics.trend(MetricKey(.connectionWait, endpoint)),
            failed: run.metrics.ratio(MetricKey(.requestFailed, tags)))
        known[kind] = slots
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
