/// A law whose logarithm is normal.
struct LogNormalLaw: WrittenLaw {
    static let name = "logNormal"
    static let about = "Symmetric around the median on a logarithmic scale."
    static let parameters = [
        LawParameter<Self>(
            name: "median", place: \.median, about: "The value half of all are below.",
            most: "max"
        ) { $0.median * $0.sigma / $1.squareRoot() },
        LawParameter<Self>(
            name: "sigma", kind: .number(0...5), place: \.sigma,
            about: "Standard deviation of the logarithm."
        ) { $0.sigma / (2 * $1).squareRoot() },
        .maximum(\.maximum),
    ]

    var median = 0.0
    /// The standard deviation of the logarithm.
    var sigma = 0.0
    var maximum = Double(Distribution.longest)

    var mean: Double { median * PortableMath.exp(sigma * sigma / 2) }

    var variance: Double { mean * mean * (PortableMath.exp(sigma * sigma) - 1) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: median
                * PortableMath.exp(
                    sigma * PortableMath.normalQuantile(stream.openUnit(ordinal))),
            atMost: maximum)
    }

    func share(below value: Double) -> Double {
        guard sigma > 0 else { return value >= median ? 1 : 0 }
        return PortableMath.erfc(-PortableMath.log(value / median) / (sigma * 2.0.squareRoot())) / 2
    }

    func logDensity(at value: Double) -> Double {
        let offset = PortableMath.log(value / median) / sigma
        return -offset * offset / 2 - PortableMath.log(value * sigma)
            - PortableMath.log(2 * Double.pi) / 2
    }
}

extension Distribution {
    /// A log-normal law by its median and the standard deviation of its logarithm.
    public static func logNormal(
        median: Int64, sigma: Double, maximum: Int64 = Distribution.longest
    ) -> Distribution {
        Distribution(
            LogNormalLaw(median: Double(median), sigma: sigma, maximum: Double(maximum)))
    }

    /// A law with an estimated median.
    @_disfavoredOverload
    public static func logNormal(median: Double, sigma: Double) -> Distribution {
        Distribution(LogNormalLaw(median: median, sigma: sigma))
    }
}
