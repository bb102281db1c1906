import SquallKernel
import SquallReport

/// Values that are all known beforehand, so that machines can share them without a word.
extension CapacitySearch {
    /// The answer between the neighbours in the grid where the thresholds stop to hold.
    ///
    /// Every value has as many replications as were asked for. The curve between the values is
    /// taken to be straight in logarithms.
    func gridOutcome() throws -> Outcome {
        let values = options.grid
        let count = options.replicationsMax
        belief = "a grid of \(values.count) values"
        try run(values.map { ($0, 0..<count) })
        let holding = values.map { value in
            Probe.holds(probes[value]?.chosen(0..<count) ?? [])
        }
        guard let first = holding.firstIndex(of: false) else { return .always(values.last ?? 0) }
        guard first > 0 else { return .never(values[0]) }
        let (low, high) = (values[first - 1], values[first])
        let step = Outcome.step(holds: low, fails: high, threshold: failing(at: high))
        guard !isBroken(high) else { return step }
        let interval = ConfidenceInterval(jackknifing: count) { numbers in
            root(numbers).map { PortableMath.log($0.value) }
        }
        guard let interval, let least = interval.low, let most = interval.high,
            let root = root(Array(0..<count))
        else { return step }
        return .crossing(
            ConfidenceInterval(
                PortableMath.exp(interval.value), low: PortableMath.exp(least),
                high: PortableMath.exp(most)),
            threshold: root.threshold)
    }

    /// The first crossing from below to above a limit between neighbours, over some replications.
    private func root(_ numbers: [Int]) -> (value: Double, threshold: Int)? {
        let values = options.grid
        let thresholds = probes[values[0]]?.replications[0]?.evidence.count ?? 0
        var first: (value: Double, threshold: Int)?
        for threshold in 0..<thresholds {
            let heights = values.map { value in
                probes[value].flatMap {
                    PooledEvidence(threshold, of: $0.chosen(numbers))?.excess
                }
            }
            for index in values.indices.dropFirst() {
                guard let low = heights[index - 1], let high = heights[index], low <= 0, high > 0
                else { continue }
                let (left, right) = (
                    PortableMath.log(values[index - 1]), PortableMath.log(values[index])
                )
                let value = PortableMath.exp(left - low / (high - low) * (right - left))
                if first.map({ value < $0.value }) ?? true { first = (value, threshold) }
                break
            }
        }
        return first
    }
}
