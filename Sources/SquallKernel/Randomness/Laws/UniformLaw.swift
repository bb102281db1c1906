import SquallFormat

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
