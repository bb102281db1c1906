import SquallFormat

/// Always the same.
struct ConstantLaw: WrittenLaw {
    let nanoseconds: Int64

    static func setting(within range: ClosedRange<Int64>) -> Setting<ConstantLaw> {
        Setting(
            "constant", SettingFormat.duration(range).map { ConstantLaw(nanoseconds: $0) },
            "Always the same.")
    }

    var mean: Double { Double(nanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 { nanoseconds }
}

extension Distribution {
    /// Always the same.
    public static func constant(nanoseconds: Int64) -> Distribution {
        Distribution(ConstantLaw(nanoseconds: nanoseconds))
    }
}

/// Anything from `low` to `high`, equally likely.
struct UniformLaw: WrittenLaw {
    let low: Int64
    let high: Int64

    static func setting(within range: ClosedRange<Int64>) -> Setting<UniformLaw> {
        let ends = SettingFormat<(Int64, Int64)>.pair(.duration(range), .duration(range))
        return Setting(
            "uniform",
            ends.refusing { ends, path in
                path.contradiction("the first value", ends.0, isAtMost: ends.1)
            }.map { UniformLaw(low: $0.0, high: $0.1) },
            "Anything from the first to the second, equally likely.")
    }

    var mean: Double { (Double(low) + Double(high)) / 2 }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        low + Int64(stream.integer(below: UInt64(high - low) + 1, at: ordinal))
    }
}

extension Distribution {
    /// Anything from `low` to `high`, equally likely.
    public static func uniform(low: Int64, high: Int64) -> Distribution {
        Distribution(UniformLaw(low: low, high: high))
    }
}

/// A normal law cut off at zero.
struct NormalLaw: Law {
    let meanNanoseconds: Int64
    let deviation: Int64

    var mean: Double { Double(meanNanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(meanNanoseconds) + Double(deviation)
                * PortableMath.normalQuantile(stream.openUnit(ordinal)))
    }
}

extension Distribution {
    /// A normal law cut off at zero; meant for means of four deviations or more.
    public static func normal(mean: Int64, deviation: Int64) -> Distribution {
        Distribution(NormalLaw(meanNanoseconds: mean, deviation: deviation))
    }
}

/// Another law's samples times a factor, and later or earlier by a constant; never negative.
struct ChangedLaw: Law {
    let base: Distribution
    let factor: Double
    let addedNanoseconds: Int64

    var mean: Double { max(0, base.mean * factor + Double(addedNanoseconds)) }

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

// Helpers that the formats of several laws share.

extension SettingsReader {
    /// What larger values are cut to.
    mutating func maximum(within range: ClosedRange<Int64>) -> Int64 {
        optional("max", .duration(range), "Larger values are cut to this; to 366d by default.")
            ?? Distribution.longest
    }

    /// Reports a parameter that must not exceed another one and does.
    mutating func check(_ small: String, _ value: Int64, isAtMost large: String, _ limit: Int64) {
        guard isSound(small, large),
            let message = path.contradiction(small, value, isAtMost: limit)
        else { return }
        report(at: path, message)
    }
}

extension SettingPath {
    /// What to say when a value exceeds its limit; nil when it does not.
    func contradiction(_ name: String, _ value: Int64, isAtMost limit: Int64) -> String? {
        guard value > limit else { return nil }
        return "\(self): \(name) must be at most \(Units.exact(nanoseconds: limit)),"
            + " got \(Units.exact(nanoseconds: value))"
    }
}
