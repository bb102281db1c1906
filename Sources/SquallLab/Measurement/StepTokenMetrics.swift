import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts the effects of tokens on steps: expired answers and the refreshes that they caused.
///
/// A refresh belongs to the step with the refused call, even if its user had given that step up;
/// refreshes without a step are counted without one, so that the sums add up.
final class StepTokenMetrics: ExchangeListener, StepListener {
    static let metrics: [Metric] = [.refreshes, .expiredAnswers, .refreshesPerExpiredStep]
    static let heededExchanges: EventTraits = [.token, .unended]

    private let run: MeasuredRun
    /// By step: refreshes of steps that were refused as expired or refreshed.
    private let refreshesPerExpired: [Metrics.RatioSlot]
    private var known: [Series: Metrics.CounterSlot] = [:]
    /// Steps that were measured and refreshed more than once before they were over.
    private(set) var found: Int64 = 0
    /// The part of the run that is measured: 1 before the end of a warm-up, 2 after it.
    private var part: UInt8 = 1

    /// A series of one step, made when its first sample comes.
    private enum Series: Hashable {
        /// Refreshes by their cause.
        case refreshes(Place, RefreshCause)
        /// Answers "expired" of an endpoint.
        case expiredAnswers(Place, Endpoint)
    }

    /// The cause of an app's refresh.
    private enum RefreshCause: Hashable {
        /// No refusal: the app asked by itself.
        case app
        /// A call of an endpoint was refused.
        case endpoint(Endpoint)
        /// A call that is no longer known.
        case unknown

        init(_ exchange: EndedExchange) {
            guard exchange.record.cause.refreshFor != nil else {
                self = .app
                return
            }
            self = exchange.finding.origin.map { .endpoint($0) } ?? .unknown
        }

        var name: String {
            switch self {
            case .app: "app"
            case .endpoint(let endpoint): endpoint.name
            case .unknown: "unknown"
            }
        }
    }

    /// The place of a series: a step, or no step of a population.
    private enum Place: Hashable {
        case step(Int)
        case population(Int)
    }

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.refreshes, .expiredAnswers])
        refreshesPerExpired = run.steps.map {
            run.metrics.ratio(MetricKey(.refreshesPerExpiredStep, $0.tags()))
        }
    }

    func restart() { part += 1 }

    func exchangeEnded(_ exchange: EndedExchange) {
        let isRefresh = exchange.kind == .refresh
        guard exchange.isMeasured, isRefresh || exchange.isExpired else { return }
        let place: Place =
            exchange.finding.step.map { .step($0.number) } ?? .population(exchange.user.population)
        count(
            isRefresh
                ? .refreshes(place, RefreshCause(exchange))
                : .expiredAnswers(place, exchange.record.endpoint), exchange.record)
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

    private func count(_ series: Series, _ record: ExchangeRecord) {
        run.count(record, in: known.slot(series) { run.metrics.counter(key(of: series)) })
    }

    private func key(of series: Series) -> MetricKey {
        switch series {
        case .refreshes(let place, let cause):
            MetricKey(.refreshes, tags(of: place, [.cause: cause.name]))
        case .expiredAnswers(let place, let endpoint):
            MetricKey(.expiredAnswers, tags(of: place, [.endpoint: endpoint.name]))
        }
    }

    private func tags(of place: Place, _ more: [TagKey: String]) -> [TagKey: String] {
        switch place {
        case .step(let step): run.steps[step].tags(more)
        case .population(let population): run.populations[population].tags(more)
        }
    }
}
