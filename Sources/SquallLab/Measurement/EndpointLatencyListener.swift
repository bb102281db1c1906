import SquallBackend
import SquallReport

/// Records how long attempts took, by population, endpoint and outcome.
final class EndpointLatencyListener: ExchangeListener {
    /// How many intervals of other latencies one of these covers; there are many more of these.
    private static let coarseness: Int64 = 4

    @exclusivity(unchecked) private(set) var found: LatencyRecorder
    private let run: MeasuredRun
    /// Made when the first attempt of its kind ends.
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
        let tag =
            known[population, record.endpoint, outcome.position, of: 3]
            ?? add(population, record.endpoint, outcome)
        found.record(duration, inTag: tag, atNanoseconds: exchange.user.now)
    }

    private func add(
        _ population: Int, _ endpoint: Endpoint, _ outcome: EndpointTag.Outcome
    ) -> Int {
        let tag = EndpointTag(
            population: run.populations[population].name, endpoint: endpoint.name,
            outcome: outcome)
        let position = found.add(tag: tag.text)
        known[population, endpoint, outcome.position, of: 3] = position
        return position
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
