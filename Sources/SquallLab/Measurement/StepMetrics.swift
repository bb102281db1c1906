import SquallApps
import SquallReport

/// Counts steps, how they ended and how long they took, by step.
final class StepMetrics: StepListener {
    static let metrics: [Metric] = [.steps, .hangs, .stepFailed, .stepDuration]

    private let run: MeasuredRun
    /// By a step's position in the run's steps.
    private let slots: [Slots]

    private struct Slots {
        let ended, hung: Metrics.CounterSlot
        let failed: Metrics.RatioSlot
        let duration: Metrics.TrendSlot
    }

    init(_ run: MeasuredRun) {
        self.run = run
        slots = run.steps.map { step in
            let tags = step.tags()
            return Slots(
                ended: run.metrics.counter(MetricKey(.steps, tags)),
                hung: run.metrics.counter(MetricKey(.hangs, tags)),
                failed: run.metrics.ratio(MetricKey(.stepFailed, tags)),
                duration: run.metrics.trend(MetricKey(.stepDuration, tags)))
        }
    }

    func stepEnded(_ step: EndedStep) {
        let slots = slots[step.number]
        guard let outcome = step.outcome else {
            run.metrics.add(1, to: slots.hung)
            return run.metrics.add(1, of: 1, to: slots.failed)
        }
        run.metrics.add(1, to: slots.ended)
        run.metrics.record(step.duration, in: slots.duration)
        run.metrics.add(outcome.isSuccess ? 0 : 1, of: 1, to: slots.failed)
    }
}
