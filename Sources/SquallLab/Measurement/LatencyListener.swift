import SquallBackend
import SquallKernel
import SquallReport

/// Records how long steps and attempts took, interval by interval, and attempts also by population,
/// endpoint and outcome.
final class LatencyListener: ExchangeListener, StepListener {
    /// How many intervals of other latencies one of an endpoint's covers, of which there are more.
    private static let coarseness: Int64 = 4

    @exclusivity(unchecked)
    private(set) var found: (whole: LatencyRecorder, parts: LatencyRecorder)
    private let run: MeasuredRun
    /// The tags of parts.
    @exclusivity(unchecked) private var known = SlotTable<Int>()

    init(_ run: MeasuredRun) {
        self.run = run
        let interval = run.intervals.latencyNanoseconds
        found.whole = LatencyRecorder(
            tags: [Metric.stepDuration, .requestDuration].map(\.name),
            intervalNanoseconds: interval)
        found.parts = LatencyRecorder(tags: [], intervalNanoseconds: interval * Self.coarseness)
    }

    func restart() {
        found.whole.restart(atNanoseconds: run.now)
        found.parts.restart(atNanoseconds: run.now)
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        let user = exchange.user
        guard exchange.isMeasured, let duration = exchange.record.duration else { return }
        found.whole.record(duration, inTag: 1, atNanoseconds: user.now)
        let outcome = EndpointTag.Outcome(exchange.record.meaning)
        let tag = known.slot(user.population, exchange.record.endpoint, outcome.position, of: 3) {
            let tag = EndpointTag(
                population: run.populations[user.population].name,
                endpoint: exchange.record.endpoint.name, outcome: outcome)
            return found.parts.add(tag: tag.text)
        }
        found.parts.record(duration, inTag: tag, atNanoseconds: user.now)
    }

    func stepEnded(_ step: EndedStep) {
        if step.end != .idle { count(step) }
    }

    func stepUnfinished(_ step: EndedStep) { count(step) }

    private func count(_ step: EndedStep) {
        found.whole.record(step.duration, inTag: 0, atNanoseconds: step.user.now)
    }
}

extension EndpointTag.Outcome {
    fileprivate var position: Int {
        switch self {
        case .ok: 0
        case .expired: 1
        case .failed: 2
        }
    }

    fileprivate init(_ meaning: AnswerMeaning) {
        switch meaning {
        case .success: self = .ok
        case .expired: self = .expired
        case .signedOut, .refused, .failure, .none: self = .failed
        }
    }
}

extension ExchangeRecord {
    /// From going on the wire until the client has it, in nanoseconds; nil when it was never sent.
    var duration: Int64? { sent.map { ended.nanoseconds - $0.nanoseconds } }

    /// The time that it waited for one of its user's connections, in nanoseconds.
    var connectionWait: Int64 { (sent ?? ended).nanoseconds - handedOver.nanoseconds }
}

extension EndedStep {
    /// From its intended beginning until now, in nanoseconds, without the scripted waits of its
    /// app; longer than that if it was given up.
    var duration: Int64 { max(0, user.now - step.intendedAt - scriptedNanoseconds) }
}
