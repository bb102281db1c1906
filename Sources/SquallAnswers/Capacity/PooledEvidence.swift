import SquallFormat
import SquallKernel
import SquallReport

/// The evidence of several replications about one threshold.
struct PooledEvidence {
    let each: [ThresholdEvidence]
    /// The evidence of the first run, which has the threshold itself.
    let first: ThresholdEvidence
    let part: Double
    let whole: Double
    /// True if each replication alone met it.
    let holdsEverywhere: Bool

    /// Pools the evidence for the threshold of an index; nil over no replications.
    init?(_ index: Int, of replications: [Replication]) {
        let evidence = replications.compactMap {
            $0.evidence.indices.contains(index) ? $0.evidence[index] : nil
        }
        guard let first = evidence.first else { return nil }
        (each, self.first) = (evidence, first)
        part = evidence.reduce(0) { $0 + $1.part }
        whole = evidence.reduce(0) { $0 + $1.whole }
        holdsEverywhere = evidence.allSatisfy(\.holds)
    }

    /// The unit of the observed value; `nil` where nothing was observed.
    var unit: NumberUnit? { each.lazy.compactMap(\.unit).first }

    /// The quotient over all replications as a share of the limit; nil without samples.
    var limitUsed: Double? { whole > 0 && first.limit > 0 ? part / whole / first.limit : nil }

    /// True if the threshold holds over all replications together.
    var holds: Bool { first.kind == .step ? holdsEverywhere : (excess ?? 1) <= 0 }

    /// The logarithm of the value as a multiple of its limit, above 0 where it is beyond; nil for
    /// thresholds that only hold or fail, and without samples.
    ///
    /// Half an event is added to a share, so that "none seen" does not count as "impossible".
    var excess: Double? {
        let limit = first.limit
        guard first.kind != .step, whole > 0, limit > 0 else { return nil }
        let value =
            first.kind == .share
            ? (part + 0.5) / (whole + 1) : max(part / whole, limit * 1e-9)
        let logarithm = PortableMath.log(value) - PortableMath.log(limit)
        return first.isUpperLimit ? logarithm : -logarithm
    }
}

/// The replications that were run at one value.
struct Probe {
    let value: Double
    /// By number; only whole ones, unless no whole one exists.
    var replications: [Int: Replication] = [:]

    /// The replications of some numbers, in order.
    func chosen(_ numbers: some Sequence<Int>) -> [Replication] {
        numbers.compactMap { replications[$0] }
    }

    var all: [Replication] { chosen(replications.keys.sorted()) }
}

/// The pooled results of the replications of one value.
extension [Replication] {
    /// The evidence for each threshold.
    var evidence: [PooledEvidence] {
        (first?.evidence.indices ?? 0..<0).compactMap { PooledEvidence($0, of: self) }
    }

    /// True for each threshold that holds; `nil` where its limit is within the interval.
    ///
    /// A single replication has no interval.
    var verdicts: [Bool?] {
        evidence.enumerated().map { index, pooled in
            let interval = ConfidenceInterval(jackknifing: count) { chosen in
                PooledEvidence(index, of: chosen.map { self[$0] })?.excess
            }
            guard let low = interval?.low, let high = interval?.high, low <= 0, high > 0 else {
                return pooled.holds
            }
            return nil
        }
    }

    /// The largest excess over all thresholds; nil where none has one.
    var excess: Double? { evidence.compactMap(\.excess).max() }

    /// True if every threshold holds over all replications together.
    public var holds: Bool { evidence.allSatisfy(\.holds) }

    /// True if a threshold that only holds or fails is broken, or one has no sample.
    var isBroken: Bool { evidence.contains { $0.excess == nil && !$0.holds } }
}
