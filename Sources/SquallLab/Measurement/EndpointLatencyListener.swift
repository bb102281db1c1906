import SquallBackend
import SquallReport

/// Records how long attempts took by population, endpoint and what came of them.
final class EndpointLatencyListener: ExchangeListener {
    /// How many intervals of other latencies one of these covers: there are many more of them.
    private static let coarseness: Int64 = 4

    private(set) var found: LatencyRecorder
    private let run: MeasuredRun
    /// Made when the first of a kind ends.
    private var known: [Key: Int] = [:]

    private struct Key: Hashable {
        let population: Int
        let endpoint: Endpoint
        let outcome: EndpointTag.Outcome
    }

    init(_ run: MeasuredRun) {
        self.run = run
        found = LatencyRecorder(
            tags: [], intervalNanoseconds: run.intervals.latencyNanoseconds * Self.coarseness)
    }

    func restart() { found.restart(atNanoseconds: run.now) }

    func exchangeEnded(_ exchange: EndedExchange) {
        let record = exchange.record
        guard exchange.isMeasured, let duration = record.duration else { return }
        let key = Key(
            population: exchange.user.population, endpoint: record.endpoint,
            outcome: .init(record.meaning))
        let tag = known[key] ?? add(key)
        found.record(duration, inTag: tag, atNanoseconds: exchange.user.now)
    }

    private func add(_ key: Key) -> Int {
        let tag = EndpointTag(
            population: run.populations[key.population].name, endpoint: key.endpoint.name,
            outcome: key.outcome)
        let position = found.add(tag: tag.text)
        known[key] = position
        return position
    }
}

extension EndpointTag.Outcome {
    fileprivate init(_ meaning: AnswerMeaning) {
        self =
            switch meaning {
            case .success: .ok
            case .expired: .expired
            case .signedOut, .refused, .failure, .none: .failed
            }
    }
}
