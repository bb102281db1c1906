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
    // By population.
    private let perExpiry: [Metrics.RatioSlot]
    private let redundant, unprompted, loops, wasted: [Metrics.CounterSlot]

    init(_ run: MeasuredRun) {
        self.run = run
        found = run.populations.map { _ in 0 }
        perExpiry = run.ratios(.refreshesPerExpiry)
        redundant = run.counters(.refreshesRedundant)
        unprompted = run.counters(.refreshesUnprompted)
        loops = run.counters(.refreshLoops)
        wasted = run.counters(.attemptsWasted)
    }

    func restart() { found = found.map { _ in 0 } }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured else { return }
        let (finding, population) = (exchange.finding, exchange.user.population)
        let perExpiry = perExpiry[population]
        if finding.countsExpiry { run.metrics.add(0, of: 1, to: perExpiry) }
        run.metrics.add(finding.loops.calls, to: loops[population])
        found[population] = max(found[population], finding.loops.longest)
        switch finding.cause {
        case .unpromptedRefresh: run.count(exchange.record, in: unprompted[population])
        case .neededRefresh: run.metrics.add(1, of: 0, to: perExpiry)
        case .redundantRefresh:
            run.metrics.add(1, of: 0, to: perExpiry)
            run.count(exchange.record, in: redundant[population])
            run.count(exchange.record, in: wasted[population])
        default: break
        }
    }

    func requestEnded(_ request: EndedRequest) {
        run.metrics.add(request.wastedAttempts, to: wasted[request.user.population])
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
