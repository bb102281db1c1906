import SquallFormat

/// `minimum` plus an exponential rest; `mean` is that of the sum.
struct ExponentialLaw: WrittenLaw {
    let meanNanoseconds: Int64
    let minimum: Int64
    let maximum: Int64

    static func setting(within range: ClosedRange<Int64>) -> Setting<ExponentialLaw> {
        Setting(
            "exponential", .section { ExponentialLaw(&$0, within: range) },
            "Many short values, few long ones.")
    }

    var mean: Double { Double(meanNanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(minimum) - Double(meanNanoseconds - minimum)
                * PortableMath.log(stream.openUnit(ordinal)),
            atMost: maximum)
    }
}

extension ExponentialLaw {
    private init(_ read: inout SettingsReader, within range: ClosedRange<Int64>) {
        meanNanoseconds = read("mean", .duration(range), "The mean.")
        minimum = read("min", .duration(range), otherwise: "0s", "The smallest value.")
        maximum = read.maximum(within: range)
        read.check("min", minimum, isAtMost: "mean", meanNanoseconds)
        read.check("mean", meanNanoseconds, isAtMost: "max", maximum)
    }
}

extension Distribution {
    /// `minimum` plus an exponential rest; `mean` is that of the sum.
    ///
    /// Nothing exceeds `maximum`.
    public static func exponential(
        mean: Int64, minimum: Int64 = 0, maximum: Int64 = Distribution.longest
    ) -> Distribution {
        Distribution(ExponentialLaw(meanNanoseconds: mean, minimum: minimum, maximum: maximum))
    }
}
