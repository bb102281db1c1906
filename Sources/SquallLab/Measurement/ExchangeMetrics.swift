import SquallBackend
import SquallHTTP
import SquallReport

/// Counts attempts and how long they took, by app, cause, endpoint and outcome.
///
/// An expired response fails its attempt until the same call succeeds: then it counts as
/// ``Metric/expiredRepaired`` and is no failure. So a design that repeats a refused call does not
/// count more failures than one that drops it.
final class ExchangeMetrics: ExchangeListener, RequestListener {
    static let metrics: [Metric] = [
        .requests, .logicalRequests, .requestDuration, .connectionWait, .requestFailed,
        .expiredRepaired,
    ]
    static let observedExchanges: EventTraits = [.any, .unended]
    static let observedRequests: EventTraits = .wasted

    private let run: MeasuredRun
    @exclusivity(unchecked) private var known = SlotTable<Slots>()
    /// The outcomes so far, in order of appearance; each has rows for every population.
    @exclusivity(unchecked) private var outcomes: [ExchangeRecord.Outcome] = []

    /// The series in which a request's expired responses were counted as failures, by the request
    /// that is under way: its success takes them back.
    @exclusivity(unchecked) private var refused = NumberTable<[Metrics.RatioSlot]>(none: [])
    @exclusivity(unchecked) private var repaired = SlotTable<Metrics.CounterSlot>()

    private struct Slots {
        let requests: Metrics.CounterSlot
        let calls: Metrics.CounterSlot
        let duration, connectionWait: Metrics.TrendSlot
        let failed: Metrics.RatioSlot
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.expiredRepaired])
    }

    func restart() { refused = NumberTable(none: []) }

    func requestEnded(_ request: EndedRequest) {
        _ = refused.removeValue(
            forKey: RequestLedger.key(UInt64(request.user.number), request.number))
    }

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
        switch record.meaning {
        case .expired:
            refused.change(record.cause.key) { $0.append(slots.failed) }
        case .success where record.cause.attempt > 0: repair(exchange)
        default: break
        }
    }

    /// Takes back the failures of a call that was refused and has now succeeded.
    private func repair(_ exchange: EndedExchange) {
        let (record, population) = (exchange.record, exchange.user.population)
        for failed in refused.removeValue(forKey: record.cause.key) ?? [] {
            run.metrics.add(-1, of: 0, to: failed)
            let slot = repaired.slot(population, record.endpoint) {
                run.metrics.counter(
                    MetricKey(.expiredRepaired, run.tags(population, record.endpoint)))
            }
            run.count(record, in: slot)
        }
    }

    private func slots(of exchange: EndedExchange) -> Slots {
        let population = exchange.user.population
        let outcome = outcomes.firstIndex(of: exchange.record.outcome) ?? outcomes.count
        if outcome == outcomes.count { outcomes.append(exchange.record.outcome) }
        let row = outcome * run.populations.count + population
        return known.slot(row, exchange.record.endpoint, exchange.kind.rawValue, of: 3) {
            let endpoint = run.tags(population, exchange.record.endpoint)
            let tags = endpoint.merging([
                .cause: "\(exchange.kind)", .status: exchange.record.outcome.name,
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

extension RequestCause {
    fileprivate var key: UInt64 { RequestLedger.key(user, request) }
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
