import SquallFormat

struct ConstantLaw: WrittenLaw {
    static let name = "constant"
    static let about = "Always the same."

    var nanoseconds: Int64 = 0

    static func format(within range: ClosedRange<Int64>) -> SettingFormat<ConstantLaw> {
        SettingFormat<Int64>.duration(range).map { ConstantLaw(nanoseconds: $0) }
    }

    func values(of count: Double) -> [Distribution.Value] {
        [("constant", mean, nil)]
    }

    func text(digits: Int) -> String { Distribution.text(mean, digits: digits) }

    var mean: Double { Double(nanoseconds) }

    var variance: Double { 0 }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 { nanoseconds }

    func share(below value: Double) -> Double { value >= mean ? 1 : 0 }
}

extension Distribution {
    /// A law in which every sample is the same duration.
    public static func constant(nanoseconds: Int64) -> Distribution {
        Distribution(ConstantLaw(nanoseconds: nanoseconds))
    }
}

/// Anything from `low` to `high`, equally likely.
struct UniformLaw: WrittenLaw {
    static let name = "uniform"
    static let about = "Anything from the first to the second, equally likely."

    var low = 0.0
    var high = 0.0

    static func format(within range: ClosedRange<Int64>) -> SettingFormat<UniformLaw> {
        SettingFormat<(Int64, Int64)>.pair(.duration(range), .duration(range))
            .refusing { ends, path in
                path.contradiction("the first value", ends.0, isAtMost: ends.1)
            }.map { UniformLaw(low: Double($0.0), high: Double($0.1)) }
    }

    func values(of count: Double) -> [Distribution.Value] {
        [("from", low, nil), ("to", high, nil)]
    }

    func text(digits: Int) -> String {
        "[\(Distribution.text(low, digits: digits)), \(Distribution.text(high, digits: digits))]"
    }

    var mean: Double { (low + high) / 2 }

    var variance: Double { (high - low) * (high - low) / 12 }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(low) + Int64(stream.integer(below: UInt64(high - low) + 1, at: ordinal))
    }

    func share(below value: Double) -> Double {
        value >= high ? 1 : max(0, (value - low) / (high - low))
    }

    func logDensity(at value: Double) -> Double {
        (low...high).contains(value) ? -PortableMath.log(high - low) : -.infinity
    }
}

extension Distribution {
    /// Anything from `low` to `high`, equally likely.
    public static func uniform(low: Int64, high: Int64) -> Distribution {
        uniform(low: Double(low), high: Double(high))
    }

    /// Anything between two estimated numbers.
    @_disfavoredOverload
    public static func uniform(low: Double, high: Double) -> Distribution {
        Distribution(UniformLaw(low: low, high: high))
    }
}

/// A normal law cut off at zero.
struct NormalLaw: Law {
    let mean: Double
    let deviation: Double

    var variance: Double { deviation * deviation }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: mean + deviation * PortableMath.normalQuantile(stream.openUnit(ordinal)))
    }
}

extension Distribution {
    /// A normal law cut off at zero; meant for means of four deviations or more.
    public static func normal(mean: Int64, deviation: Int64) -> Distribution {
        Distribution(NormalLaw(mean: Double(mean), deviation: Double(deviation)))
    }
}

/// Another law's samples times a factor, and later or earlier by a constant; never negative.
struct ChangedLaw: Law {
    let base: Distribution
    let factor: Double
    let addedNanoseconds: Int64

    var mean: Double { max(0, base.mean * factor + Double(addedNanoseconds)) }

    var variance: Double { base.variance * factor * factor }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(base.sample(stream, at: ordinal)) * factor + Double(addedNanoseconds))
    }
}

extension Distribution {
    /// Every sample times a factor.
    public func times(_ factor: Double) -> Distribution {
        Distribution(ChangedLaw(base: self, factor: factor, addedNanoseconds: 0))
    }

    /// Every sample longer by as much, or shorter where that is negative, but never below zero.
    public func adding(nanoseconds: Int64) -> Distribution {
        Distribution(ChangedLaw(base: self, factor: 1, addedNanoseconds: nanoseconds))
    }
}
