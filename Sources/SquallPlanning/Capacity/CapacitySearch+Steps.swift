import SquallKernel

/// Thresholds without a middle, such as a count that must be zero: the answer is the bracket.
extension CapacitySearch {
    /// Bisects between a value at which all replications hold and one at which one does not.
    func step(_ low: Double, _ high: Double) throws -> Outcome {
        var (low, high) = (low, high)
        if low >= variation.least, try !holdsEverywhere(low) {
            (low, high) = try fallback(from: low)
            guard low > 0 else { return .never(high) }
        }
        while high > low * (1 + options.precision) {
            let middle = variation.rounded((max(low, high * 1e-6) * high).squareRoot())
            guard middle > low, middle < high else { break }
            if try holdsEverywhere(middle) { low = middle } else { high = middle }
        }
        return .step(holds: low, fails: high, threshold: failing(at: high))
    }

    /// Whether every threshold holds at a value: over the replications together, and in each of
    /// them where it has no middle.
    private func holdsEverywhere(_ value: Double) throws -> Bool {
        for count in [2, 5, CapacityOptions.replicationsMin] {
            let count = min(count, options.replicationsMax)
            let probe = try run(value, 0..<count, stopsWhenLost: true)
            if Probe.isBroken(probe.chosen(0..<count)) { return false }
        }
        let count = min(CapacityOptions.replicationsMin, options.replicationsMax)
        return Probe.holds(probes[value]?.chosen(0..<count) ?? [])
    }

    /// A lower value at which all replications hold, with one above it at which they do not; the
    /// first is 0 where there is none.
    private func fallback(from value: Double) throws -> (Double, Double) {
        var high = value
        for _ in 0..<60 {
            let next = variation.rounded(high / 1.25)
            guard next < high, next > 0 else { break }
            if try holdsEverywhere(next) { return (next, high) }
            high = next
        }
        return (0, high)
    }

    /// Which threshold does not hold at a value.
    func failing(at value: Double) -> Int {
        let evidence = Probe.evidence(probes[value]?.all ?? [])
        return evidence.firstIndex { $0.excess == nil && !$0.holds }
            ?? evidence.firstIndex { !$0.holds } ?? 0
    }
}
