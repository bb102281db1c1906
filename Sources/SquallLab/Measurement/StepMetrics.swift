import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts steps, how they ended and how long they took, by step.
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

    /// It may or may not have failed later.
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

/// How a step ended, in the results: each step has exactly one of these.
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
