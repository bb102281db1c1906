/// How long something takes: a law that turns a random word into whole nanoseconds.
///
/// Sampling is by inversion, one word a sample, with arithmetic that gives the same bits on every
/// platform; so a sample keeps its rank when the law's parameters change, and comparisons under
/// common random numbers stay sharp.
public enum Distribution: Hashable, Sendable {
    /// Always the same.
    case constant(nanoseconds: Int64)
    /// Anything from `low` to `high`, equally likely.
    case uniform(low: Int64, high: Int64)
    /// `minimum` plus an exponential rest; `mean` is that of the sum. Nothing exceeds `maximum`.
    case exponential(mean: Int64, minimum: Int64 = 0, maximum: Int64 = .max)
    /// A log-normal law by its median and the standard deviation of its logarithm.
    case logNormal(median: Int64, sigma: Double, maximum: Int64 = .max)
    /// A Pareto law by its smallest value and its tail index; heavy-tailed below index 2.
    case pareto(scale: Int64, shape: Double, maximum: Int64 = .max)
    /// The sum of `stages` equal exponential parts, 1…100 of them; `mean` is that of the sum.
    case erlang(stages: Int, mean: Int64)
    /// Two exponential laws mixed so that each carries half the mean; `squaredVariation` ≥ 1.
    case hyperexponential(mean: Int64, squaredVariation: Double)
    /// A normal law cut off at zero; meant for means of four deviations or more.
    case normal(mean: Int64, deviation: Int64)
    /// Values with weights.
    case empirical(EmpiricalDistribution)

    /// The sample that a stream's word decides, never negative.
    public func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        switch self {
        case .constant(let nanoseconds):
            nanoseconds
        case .uniform(let low, let high):
            low + Int64(stream.integer(below: UInt64(high - low) + 1, at: ordinal))
        case .exponential(let mean, let minimum, let maximum):
            rounded(
                Double(minimum) - Double(mean - minimum)
                    * PortableMath.log(openUnit(stream, ordinal)),
                atMost: maximum)
        case .logNormal(let median, let sigma, let maximum):
            rounded(
                Double(median)
                    * PortableMath.exp(
                        sigma * PortableMath.normalQuantile(openUnit(stream, ordinal))),
                atMost: maximum)
        case .pareto(let scale, let shape, let maximum):
            rounded(
                Double(scale)
                    * PortableMath.exp(-PortableMath.log(openUnit(stream, ordinal)) / shape),
                atMost: maximum)
        case .erlang(let stages, let mean):
            rounded(
                Double(mean) / Double(stages)
                    * ErlangLaw(stages: stages).quantile(survival: openUnit(stream, ordinal)),
                atMost: .max)
        case .hyperexponential(let mean, let squaredVariation):
            rounded(
                Double(mean)
                    * HyperexponentialLaw(squaredVariation: squaredVariation)
                    .quantile(survival: openUnit(stream, ordinal)),
                atMost: .max)
        case .normal(let mean, let deviation):
            rounded(
                Double(mean) + Double(deviation)
                    * PortableMath.normalQuantile(openUnit(stream, ordinal)),
                atMost: .max)
        case .empirical(let table):
            table.value(at: stream.integer(below: table.totalWeight, at: ordinal))
        }
    }

    /// The law's mean in nanoseconds, not counting `maximum`; infinite for a Pareto index ≤ 1.
    public var mean: Double {
        switch self {
        case .constant(let nanoseconds): Double(nanoseconds)
        case .uniform(let low, let high): (Double(low) + Double(high)) / 2
        case .exponential(let mean, _, _), .erlang(_, let mean), .hyperexponential(let mean, _),
            .normal(let mean, _):
            Double(mean)
        case .logNormal(let median, let sigma, _):
            Double(median) * PortableMath.exp(sigma * sigma / 2)
        case .pareto(let scale, let shape, _):
            shape > 1 ? Double(scale) * shape / (shape - 1) : .infinity
        case .empirical(let table): table.mean
        }
    }

    /// A number strictly between 0 and 1.
    private func openUnit(_ stream: RandomStream, _ ordinal: UInt64) -> Double {
        (Double(stream.bits(at: ordinal) >> 12) + 0.5) * 0x1p-52
    }

    private func rounded(_ nanoseconds: Double, atMost maximum: Int64) -> Int64 {
        nanoseconds >= Double(maximum) ? maximum : Int64(max(0, nanoseconds.rounded()))
    }
}

/// Values with whole weights, drawn in proportion.
public struct EmpiricalDistribution: Hashable, Sendable {
    private let values: [Int64]
    private let cumulativeWeights: [UInt64]
    /// The sum of all weights.
    public let totalWeight: UInt64

    /// A table of values in nanoseconds and their weights.
    ///
    /// - Precondition: there is at least one entry, no value is negative and no weight is zero.
    public init(_ table: [(nanoseconds: Int64, weight: UInt64)]) {
        precondition(!table.isEmpty, "an empirical distribution needs at least one value")
        precondition(
            table.allSatisfy { $0.nanoseconds >= 0 && $0.weight > 0 },
            "an empirical distribution needs values ≥ 0 and weights > 0, got \(table)")
        var sum: UInt64 = 0
        values = table.map(\.nanoseconds)
        cumulativeWeights = table.map { entry in
            sum += entry.weight
            return sum
        }
        totalWeight = sum
    }

    /// The value whose share of the total weight holds `position`.
    func value(at position: UInt64) -> Int64 {
        var low = 0
        var high = values.count - 1
        while low < high {
            let middle = (low + high) / 2
            if cumulativeWeights[middle] > position { high = middle } else { low = middle + 1 }
        }
        return values[low]
    }

    /// The weighted mean in nanoseconds.
    var mean: Double {
        var previous: UInt64 = 0
        var sum = 0.0
        for (value, cumulative) in zip(values, cumulativeWeights) {
            sum += Double(value) * Double(cumulative - previous)
            previous = cumulative
        }
        return sum / Double(totalWeight)
    }
}
