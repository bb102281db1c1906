import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts steps by their end, and records their durations.
///
/// A step that its user gave up took at least as long as the user waited, and counts with that, as
/// does a step that still ran at the end of the run. A step without anything to do took no time and
/// could not fail: it counts separately.
final class StepMetrics: StepListener {
    static let metrics: [Metric] = [
        .steps, .stepsIdle, .hangs, .stepFailed, .stepDuration,
    ]

    private let run: MeasuredRun
    /// By a step's position in the run's steps.
    private let slots: [Slots]

    private struct Slots {
        let ended, idle, hung: Metrics.CounterSlot
        let failed: Metrics.RatioSlot
        let duration: Metrics.TrendSlot
    }

    init(_ run: MeasuredRun) {
        self.run = run
        slots = run.steps.map { step in
            let tags = step.tags()
            return Slots(
                ended: run.metrics.counter(MetricKey(.steps, tags)),
                idle: run.metrics.counter(MetricKey(.stepsIdle, tags)),
                hung: run.metrics.counter(MetricKey(.hangs, tags)),
                failed: run.metrics.ratio(MetricKey(.stepFailed, tags)),
                duration: run.metrics.trend(MetricKey(.stepDuration, tags)))
        }
    }

    func stepEnded(_ step: EndedStep) {
        let slots = slots[step.number]
        let end = step.end
        guard end != .idle else { return run.metrics.add(1, to: slots.idle) }
        run.metrics.add(1, to: end == .hung ? slots.hung : slots.ended)
        run.metrics.record(step.duration, in: slots.duration)
        run.metrics.add(end == .done ? 0 : 1, of: 1, to: slots.failed)
    }

    /// Counts as one that has not failed: what would have come of it is not known.
    func stepUnfinished(_ step: EndedStep) {
        run.metrics.record(step.duration, in: slots[step.number].duration)
    }
}

/// Counts retries, by step and endpoint; retries without a step have no step.
final class StepRetryMetrics: ExchangeListener {
    static let metrics: [Metric] = [.retries]
    static let observedExchanges: EventTraits = [.repeated, .unended]

    private let run: MeasuredRun
    private var known = SlotTable<Metrics.CounterSlot>()

    init(_ run: MeasuredRun) {
        self.run = run
        run.startAtZero([.retries])
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured, exchange.kind == .retry else { return }
        let (step, population) = (exchange.finding.step?.number, exchange.user.population)
        let endpoint = exchange.record.endpoint
        let slot = known.slot(run.row(step, of: population), endpoint) {
            let tags = run.tags(step, of: population, [.endpoint: endpoint.name])
            return run.metrics.counter(MetricKey(.retries, tags))
        }
        run.count(exchange.record, in: slot)
    }
}

/// The end of a step in the results: each step has exactly one of these.
enum StepEnd {
    /// It reached its purpose.
    case done
    /// It had another outcome.
    case failed
    /// As `failed`, and the app shows the sign-in screen.
    case signedOut
    /// There was nothing to do: it counts separately, not in durations or rates.
    case idle
    /// Its user gave up.
    case hung

    init(_ outcome: StepOutcome?) {
        self =
            switch outcome {
            case nil: .hung
            case .nothingToDo?: .idle
            case .loggedOut?: .signedOut
            case let other?: other.isSuccess ? .done : .failed
            }
    }
}

extension EndedStep {
    var end: StepEnd { StepEnd(outcome) }
}

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

    /// Refreshes by the call that asked for them, or expired responses by the call, of a step or of
    /// none.
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
