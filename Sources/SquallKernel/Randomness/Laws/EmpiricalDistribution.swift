import SquallFormat

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
}

extension EmpiricalDistribution: WrittenLaw {
    static let name = "empirical"
    static let about = "Pairs of a value and its weight."

    init() { self.init([(0, 1)]) }

    static func format(
        within range: ClosedRange<Int64>
    ) -> SettingFormat<EmpiricalDistribution> {
        let entry = SettingFormat<(Int64, Int64)>.pair(
            .duration(range), .integer(1...1_000_000_000))
        return SettingFormat<[(Int64, Int64)]>.list(of: entry, 1...10_000).map { entries in
            // A list that could not be read is empty; its law is never sampled.
            let table = entries.map { (nanoseconds: $0.0, weight: UInt64($0.1)) }
            return table.isEmpty ? EmpiricalDistribution() : EmpiricalDistribution(table)
        }
    }

    func values(of count: Double) -> [Distribution.Value] {
        [("mean", mean, nil)]
    }

    func text(digits: Int) -> String {
        let entries = table.map { value, weight in
            "[\(Distribution.text(Double(value), digits: digits)), \(weight)]"
        }
        return "[\(entries.joined(separator: ", "))]"
    }

    /// The weighted mean in nanoseconds.
    var mean: Double { mean { Double($0) } }

    var variance: Double {
        let mean = mean
        return self.mean { (Double($0) - mean) * (Double($0) - mean) }
    }

    private func mean(_ number: (Int64) -> Double) -> Double {
        table.reduce(0) { $0 + number($1.value) * Double($1.weight) } / Double(totalWeight)
    }

    /// The values with their own weights.
    private var table: [(value: Int64, weight: UInt64)] {
        zip(values, cumulativeWeights).enumerated().map { place, entry in
            (entry.0, entry.1 - (place > 0 ? cumulativeWeights[place - 1] : 0))
        }
    }

    func share(below value: Double) -> Double {
        let below = table.reduce(0) { Double($1.value) <= value ? $0 + $1.weight : $0 }
        return Double(below) / Double(totalWeight)
    }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        value(at: stream.integer(below: totalWeight, at: ordinal))
    }
}

extension Distribution {
    /// Values with weights.
    public static func empirical(_ table: EmpiricalDistribution) -> Distribution {
        Distribution(table)
    }
}
