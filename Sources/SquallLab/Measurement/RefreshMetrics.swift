import SquallBackend
import SquallJudge
import SquallReport

/// Counts expiries, the refreshes that belong to them, and wasted attempts, by population.
final class RefreshMetrics: ExchangeListener, RequestListener {
    static let metrics: [Metric] = [
        .refreshesPerExpiry, .refreshesRedundant, .refreshesUnprompted, .refreshLoops,
        .attemptsWasted,
    ]
    static let observedExchanges: EventTraits = [.token, .unended]
    static let observedRequests: EventTraits = .wasted

    /// The most refreshes of one call in a loop, by population.
    @exclusivity(unchecked) private(set) var found: [Int64]
    private let run: MeasuredRun
    /// By population.
    private let slots: [Slots]

    private struct Slots {
        let perExpiry: Metrics.RatioSlot
        let redundant, unprompted, loops, wasted: Metrics.CounterSlot
    }

    init(_ run: MeasuredRun) {
        self.run = run
        found = run.populations.map { _ in 0 }
        slots = run.populations.map { population in
            let tags = population.tags()
            return Slots(
                perExpiry: run.metrics.ratio(MetricKey(.refreshesPerExpiry, tags)),
                redundant: run.metrics.counter(MetricKey(.refreshesRedundant, tags)),
                unprompted: run.metrics.counter(MetricKey(.refreshesUnprompted, tags)),
                loops: run.metrics.counter(MetricKey(.refreshLoops, tags)),
                wasted: run.metrics.counter(MetricKey(.attemptsWasted, tags)))
        }
    }

    func restart() { found = found.map { _ in 0 } }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured else { return }
        let (finding, population) = (exchange.finding, exchange.user.population)
        let slots = slots[population]
        if finding.countsExpiry { run.metrics.add(0, of: 1, to: slots.perExpiry) }
        run.metrics.add(finding.loops.calls, to: slots.loops)
        found[population] = max(found[population], finding.loops.longest)
        switch finding.cause {
        case .unpromptedRefresh: run.count(exchange.record, in: slots.unprompted)
        case .neededRefresh: run.metrics.add(1, of: 0, to: slots.perExpiry)
        case .redundantRefresh:
            run.metrics.add(1, of: 0, to: slots.perExpiry)
            run.count(exchange.record, in: slots.redundant)
            run.count(exchange.record, in: slots.wasted)
        default: break
        }
    }

    func requestEnded(_ request: EndedRequest) {
        run.metrics.add(request.wastedAttempts, to: slots[request.user.population].wasted)
    }
}

/// Records the waits of requests for a new token, by app.
final class RefreshWaitMetrics: AttemptListener, RequestListener {
    static let metrics: [Metric] = [.refreshWait]
    static let observedAttempts: EventTraits = .held
    static let observedRequests: EventTraits = .held

    private let run: MeasuredRun
    /// By population.
    private let waits: [Metrics.TrendSlot]

    init(_ run: MeasuredRun) {
        self.run = run
        waits = run.trends(.refreshWait)
    }

    func attemptSent(_ attempt: SentAttempt) { waited(attempt.waited, attempt.user) }

    func requestEnded(_ request: EndedRequest) { waited(request.waited, request.user) }

    private func waited(_ span: Int64?, _ user: User) {
        if let span { run.metrics.record(span, in: waits[user.population]) }
    }
}
