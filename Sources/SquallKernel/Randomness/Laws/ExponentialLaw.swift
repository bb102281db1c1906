/// A law of `minimum` plus an exponential rest; its `mean` is that of the sum.
struct ExponentialLaw: WrittenLaw {
    static let name = "exponential"
    static let about = "Many short values, few long ones."
    static let parameters = [
        LawParameter<Self>(name: "mean", place: \.mean, about: "The mean.", most: "max"),
        LawParameter<Self>(
            name: "min", place: \.minimum, about: "The smallest value.", standard: 0,
            most: "mean"),
        .maximum(\.maximum),
    ]

    var mean = 0.0
    var minimum = 0.0
    var maximum = Double(Distribution.longest)

    var variance: Double { (mean - minimum) * (mean - minimum) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: minimum - (mean - minimum) * PortableMath.log(stream.openUnit(ordinal)),
            atMost: maximum)
    }

    func share(below value: Double) -> Double {
        value <= minimum ? 0 : 1 - PortableMath.exp(-(value - minimum) / (mean - minimum))
    }

    func logDensity(at value: Double) -> Double {
        let rest = mean - minimum
        return value < minimum ? -.infinity : -(value - minimum) / rest - PortableMath.log(rest)
    }
}

extension Distribution {
    /// `minimum` plus an exponential rest; `mean` is that of the sum.
    ///
    /// Nothing exceeds `maximum`.
    public static func exponential(
        mean: Int64, minimum: Int64 = 0, maximum: Int64 = Distribution.longest
    ) -> Distribution {
        Distribution(
            ExponentialLaw(
                mean: Double(mean), minimum: Double(minimum), maximum: Double(maximum)))
    }

    /// A law with an estimated mean and an estimated minimum.
    @_disfavoredOverload
    public static func exponential(mean: Double, minimum: Double = 0) -> Distribution {
        Distribution(ExponentialLaw(mean: mean, minimum: minimum))
    }
}
