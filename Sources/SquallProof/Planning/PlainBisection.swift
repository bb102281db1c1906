import SquallAnswers

/// A search for a capacity by hand: double until it fails, then halve the bracket, with the same
/// number of whole replications at every value.
///
/// ``CapacitySearch`` is compared with it: same seeds, same start, same judgement over all
/// replications together.
struct PlainBisection {
    let experiment: Experiment
    let replicator: Replicator
    /// The number of replications of each value.
    let replications: Int
    /// The half-width of the final bracket, as a share of the answer.
    let precision: Double
    /// Attempts simulated so far.
    var requests: Int64 = 0

    /// The middle of the last bracket, for a setting varied from a start value.
    mutating func answer(varying name: String, from start: Double) throws -> Double {
        let variation = try Variation(name, of: experiment)
        var (low, high) = (start, start)
        while try holds(variation, high) { (low, high) = (high, high * 2) }
        while try low == high && !holds(variation, low) { low /= 2 }
        while high - low > precision * (high + low) {
            let middle = (low + high) / 2
            if try holds(variation, middle) { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// True if every threshold holds at a value, over all replications together.
    private mutating func holds(_ variation: Variation, _ value: Double) throws -> Bool {
        let profile = try variation.profile(at: value)
        let found = try replicator.replications(replications) { _ in profile }
        requests += found.reduce(0) { $0 + $1.requests }
        return found.holds
    }
}
