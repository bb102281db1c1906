import SquallFormat

/// A law with a long tail.
struct ParetoLaw: WrittenLaw {
    /// The smallest value.
    let scale: Int64
    /// The tail index.
    let shape: Double
    let maximum: Int64

    static func setting(within range: ClosedRange<Int64>) -> Setting<ParetoLaw> {
        Setting(
            "pareto", .section { ParetoLaw(&$0, within: range) },
            "A long tail of rare, very long values.")
    }

    var mean: Double { shape > 1 ? Double(scale) * shape / (shape - 1) : .infinity }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(scale)
                * PortableMath.exp(-PortableMath.log(stream.openUnit(ordinal)) / shape),
            atMost: maximum)
    }
}

extension ParetoLaw {
    private init(_ read: inout SettingsReader, within range: ClosedRange<Int64>) {
        scale = read("scale", .duration(range), "The smallest value.")
        shape = read("shape", .number(0.1...100), "Tail index; heavy tail below 2.")
        maximum = read.maximum(within: range)
        read.check("scale", scale, isAtMost: "max", maximum)
    }
}

extension Distribution {
    /// A Pareto law by its smallest value and its tail index; heavy-tailed below index 2.
    public static func pareto(
        scale: Int64, shape: Double, maximum: Int64 = Distribution.longest
    ) -> Distribution {
        Distribution(ParetoLaw(scale: scale, shape: shape, maximum: maximum))
    }
}
