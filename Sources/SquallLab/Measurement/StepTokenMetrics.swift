import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts the effects of tokens on steps: expired responses and the refreshes that they caused.
///
/// A refresh belongs to the step with the refused call, even if its user had given that step up;
/// refreshes without a step are counted without one, so that the sums add up.
final class StepTokenMetrics: ExchangeListener, StepListener {
    static let metrics: [Metric] = [.refreshes, .expiredResponses, .refreshesPerExpiredStep]
    static let observedExchanges: EventTraits = [.token, .unended]

    private let run: MeasuredRun
    /// By step: refreshes of steps that were refused as expired or refreshed.
    private let refreshesPerExpired: [Metrics.RatioSlot]
    private var known: [Series: Metrics.CounterSlot] = [:]
    /// Steps that were measured and refreshed more than once before they were over.
    private(set) var found: Int64 = 0
    /// The part of the run that is measured: 1 before the end of a warm-up, 2 after it.
    private var part: UInt8 = 1

    /// Refreshes by what asked for them, or expired responses by the call, of a step or of none.
    private struct Series: Hashable {
        let step: Int?
        let population: Int
        let isRefresh, isPrompted: Bool
        /// The call that was refused; `nil` when it is no longer known.
        let refused: Endpoint?
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.refreshes, .expiredResponses])
        refreshesPerExpired = run.steps.map {
            run.metrics.ratio(MetricKey(.refreshesPerExpiredStep, $0.tags()))
        }
    }

    func restart() { part += 1 }

    func exchangeEnded(_ exchange: EndedExchange) {
        let isRefresh = exchange.kind == .refresh
        guard exchange.isMeasured, isRefresh || exchange.isExpired else { return }
        let series = Series(
            step: exchange.finding.step?.number, population: exchange.user.population,
            isRefresh: isRefresh,
            isPrompted: exchange.record.cause.refreshFor != nil || exchange.finding.origin != nil,
            refused: isRefresh ? exchange.finding.origin : exchange.record.endpoint)
        run.count(exchange.record, in: slot(of: series))
        guard let step = exchange.finding.step else { return }
        guard step.isOver else {
            if step.tokens.heardIn != part { step.tokens = StepTokens(heardIn: part) }
            step.tokens.isMet = true
            if isRefresh { step.tokens.refreshes += 1 }
            return
        }
        let isFirst = step.tokens.countedIn != part
        step.tokens.countedIn = part
        run.metrics.add(
            isRefresh ? 1 : 0, of: isFirst ? 1 : 0, to: refreshesPerExpired[step.number])
    }

    func stepEnded(_ step: EndedStep) { count(step.open) }

    func stepUnfinished(_ step: EndedStep) { count(step.open) }

    private func count(_ step: OpenStep) {
        guard step.tokens.isMet, step.tokens.heardIn == part else { return }
        step.tokens.countedIn = part
        run.metrics.add(step.tokens.refreshes, of: 1, to: refreshesPerExpired[step.number])
        if step.tokens.refreshes > 1 { found += 1 }
    }

    private func slot(of series: Series) -> Metrics.CounterSlot {
        if let slot = known[series] { return slot }
        let name = series.refused?.name ?? "unknown"
        let tag: [TagKey: String] =
            series.isRefresh ? [.cause: series.isPrompted ? name : "app"] : [.endpoint: name]
        let slot = run.metrics.counter(
            MetricKey(
                series.isRefresh ? .refreshes : .expiredResponses,
                run.tags(series.step, of: series.population, tag)))
        known[series] = slot
        return slot
    }
}
