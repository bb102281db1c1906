import SquallFormat

/// A law whose logarithm is normal.
struct LogNormalLaw: WrittenLaw {
    let median: Int64
    /// The standard deviation of the logarithm.
    let sigma: Double
    let maximum: Int64

    static func setting(within range: ClosedRange<Int64>) -> Setting<LogNormalLaw> {
        Setting(
            "logNormal", .section { LogNormalLaw(&$0, within: range) },
            "Symmetric around the median on a logarithmic scale.")
    }

    var mean: Double { Double(median) * PortableMath.exp(sigma * sigma / 2) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(median)
                * PortableMath.exp(
                    sigma * PortableMath.normalQuantile(stream.openUnit(ordinal))),
            atMost: maximum)
    }
}

extension LogNormalLaw {
    private init(_ read: inout SettingsReader, within range: ClosedRange<Int64>) {
        median = read("median", .duration(range), "The value half of all are below.")
        sigma = read("sigma", .number(0...5), "Standard deviation of the logarithm.")
        maximum = read.maximum(within: range)
        read.check("median", median, isAtMost: "max", maximum)
    }
}

extension Distribution {
    /// A log-normal law by its median and the standard deviation of its logarithm.
    public static func logNormal(
        median: Int64, sigma: Double, maximum: Int64 = Distribution.longest
    ) -> Distribution {
        Distribution(LogNormalLaw(median: median, sigma: sigma, maximum: maximum))
    }
}
