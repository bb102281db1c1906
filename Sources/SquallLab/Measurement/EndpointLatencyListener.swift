import SquallBackend
import SquallReport

/// Records how long attempts took, by population, endpoint and outcome.
final class EndpointLatencyListener: ExchangeListener {
    /// How many intervals of other latencies one of these covers; there are many more of these.
    private static let coarseness: Int64 = 4

    @exclusivity(unchecked) private(set) var found: LatencyRecorder
    private let run: MeasuredRun
    @exclusivity(unchecked) private var known = SlotTable<Int>()

    init(_ run: MeasuredRun) {
        self.run = run
        found = LatencyRecorder(
            tags: [], intervalNanoseconds: run.intervals.latencyNanoseconds * Self.coarseness)
    }

    func restart() { found.restart(atNanoseconds: run.now) }

    func exchangeEnded(_ exchange: EndedExchange) {
        let record = exchange.record
        guard exchange.isMeasured, let duration = record.duration else { return }
        let population = exchange.user.population
        let outcome = EndpointTag.Outcome(record.meaning)
        let tag = known.slot(population, record.endpoint, outcome.position, of: 3) {
            let tag = EndpointTag(
                population: run.populations[population].name, endpoint: record.endpoint.name,
                outcome: outcome)
            return found.add(tag: tag.text)
        }
        found.record(duration, inTag: tag, atNanoseconds: exchange.user.now)
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
        self =
            switch meaning {
            case .success: .ok
            case .expired: .expired
            case .signedOut, .refused, .failure, .none: .failed
            }
    }
}
