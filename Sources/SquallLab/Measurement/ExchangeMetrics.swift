import SquallBackend
import SquallHTTP
import SquallReport

/// What tells wire exchanges apart in the results.
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
        /// A failed request needed a new token.
        case refresh
    }
}

/// Counts exchanges and how long they took, by app, cause, endpoint and outcome.
final class ExchangeMetrics: ExchangeListener {
    static let metrics: [Metric] = [.requests, .logicalRequests, .requestDuration, .requestFailed]

    private let run: MeasuredRun
    /// Made when the first of a kind ends.
    private var known: [ExchangeKind: Slots] = [:]

    private struct Slots {
        let requests: Metrics.CounterSlot
        /// Calls made by app code; only first attempts count as such.
        let logical: Metrics.CounterSlot?
        let duration: Metrics.TrendSlot
        let failed: Metrics.RatioSlot
    }

    init(_ run: MeasuredRun) { self.run = run }

    func exchangeEnded(_ exchange: EndedExchange) {
        let record = exchange.record
        let slots = slots(
            of: ExchangeKind(
                population: exchange.user.population, cause: exchange.kind,
                endpoint: record.endpoint, outcome: record.outcome))
        run.metrics.add(1, to: slots.requests)
        if let logical = slots.logical { run.metrics.add(1, to: logical) }
        run.metrics.record(record.duration, in: slots.duration)
        run.metrics.add(record.meaning == .success ? 0 : 1, of: 1, to: slots.failed)
    }

    private func slots(of kind: ExchangeKind) -> Slots {
        if let slots = known[kind] { return slots }
        let endpoint = run.populations[kind.population].tags([.endpoint: kind.endpoint.name])
        let tags = endpoint.merging([
            .cause: kind.cause.rawValue, .status: kind.outcome.name,
        ]) { known, _ in known }
        let slots = Slots(
            requests: run.metrics.counter(MetricKey(.requests, tags)),
            logical: kind.cause == .first
                ? run.metrics.counter(MetricKey(.logicalRequests, endpoint)) : nil,
            duration: run.metrics.trend(MetricKey(.requestDuration, tags)),
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
        }
    }
}
