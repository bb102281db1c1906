import SquallBackend
import SquallKernel
import SquallReport

/// Records how long steps and attempts took, interval by interval.
final class LatencyListener: ExchangeListener, StepListener {
    @exclusivity(unchecked) private(set) var found: LatencyRecorder
    private let run: MeasuredRun

    init(_ run: MeasuredRun) {
        self.run = run
        found = LatencyRecorder(
            tags: [Metric.stepDuration, .requestDuration].map(\.name),
            intervalNanoseconds: run.intervals.latencyNanoseconds)
    }

    func restart() { found.restart(atNanoseconds: run.now) }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured, let duration = exchange.record.duration else { return }
        found.record(duration, inTag: 1, atNanoseconds: exchange.user.now)
    }

    func stepEnded(_ step: EndedStep) {
        if step.end != .idle { count(step) }
    }

    func stepUnfinished(_ step: EndedStep) { count(step) }

    private func count(_ step: EndedStep) {
        found.record(step.duration, inTag: 0, atNanoseconds: step.user.now)
    }
}

extension ExchangeRecord {
    /// From going on the wire until the client has it, in nanoseconds; nil when it was never sent.
    var duration: Int64? { sent.map { ended.nanoseconds - $0.nanoseconds } }

    /// How long it waited for one of its user's connections, in nanoseconds.
    var connectionWait: Int64 { (sent ?? ended).nanoseconds - handedOver.nanoseconds }
}

extension EndedStep {
    /// From its intended beginning until now, in nanoseconds; longer than that if it was given up.
    var duration: Int64 { user.now - step.intendedAt }
}
