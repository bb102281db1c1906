/// A law with a long tail.
struct ParetoLaw: WrittenLaw {
    static let name = "pareto"
    static let about = "A long tail of rare, very long values."
    static let parameters = [
        LawParameter<Self>(
            name: "scale", place: \.scale, about: "The smallest value.", most: "max"),
        LawParameter<Self>(
            name: "shape", kind: .number(0.1...100), place: \.shape,
            about: "Tail index; heavy tail below 2."
        ) { $0.shape / $1.squareRoot() },
        .maximum(\.maximum),
    ]

    /// The smallest value.
    var scale = 0.0
    /// The tail index.
    var shape = 1.0
    var maximum = Double(Distribution.longest)

    var mean: Double { shape > 1 ? scale * shape / (shape - 1) : .infinity }

    var variance: Double {
        shape > 2 ? mean * mean / (shape * (shape - 2)) : .infinity
    }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: scale
                * PortableMath.exp(-PortableMath.log(stream.openUnit(ordinal)) / shape),
            atMost: maximum)
    }

    func share(below value: Double) -> Double {
        value <= scale ? 0 : 1 - PortableMath.exp(-shape * PortableMath.log(value / scale))
    }

    func logDensity(at value: Double) -> Double {
        value < scale
            ? -.infinity
            : PortableMath.log(shape / value) - shape * PortableMath.log(value / scale)
    }
}

extension Distribution {
    /// A Pareto law by its smallest value and its tail index; heavy-tailed below index 2.
    public static func pareto(
        scale: Int64, shape: Double, maximum: Int64 = Distribution.longest
    ) -> Distribution {
        Distribution(
            ParetoLaw(scale: Double(scale), shape: shape, maximum: Double(maximum)))
    }

    /// A law with an estimated scale.
    @_disfavoredOverload
    public static func pareto(scale: Double, shape: Double) -> Distribution {
        Distribution(ParetoLaw(scale: scale, shape: shape))
    }
}
