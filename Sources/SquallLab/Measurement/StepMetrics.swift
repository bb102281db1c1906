import SquallApps
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
        run.metrics.add(1, to: end == .givenUp ? slots.hung : slots.ended)
        run.metrics.record(step.duration, in: slots.duration)
        run.metrics.add(end == .done ? 0 : 1, of: 1, to: slots.failed)
    }

    /// It may or may not have failed later.
    func stepUnfinished(_ step: EndedStep) {
        run.metrics.record(step.duration, in: slots[step.number].duration)
    }
}
