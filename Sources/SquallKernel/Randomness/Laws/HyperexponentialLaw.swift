import SquallFormat

/// Two exponential laws mixed so that each carries half the mean; any squared variation from 1.
struct HyperexponentialLaw: WrittenLaw, SurvivalLaw {
    let meanNanoseconds: Int64
    /// How likely the first law is; its rate is twice this.
    private let first: Double

    init(mean: Int64, squaredVariation: Double) {
        precondition(
            squaredVariation >= 1 && squaredVariation <= 10_000,
            "a hyperexponential law has a squared variation of 1…10000, not \(squaredVariation)")
        meanNanoseconds = mean
        first =
            (1 + ((squaredVariation - 1) / (squaredVariation + 1)).squareRoot()) / 2
    }

    var mean: Double { Double(meanNanoseconds) }

    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(
            rounding: Double(meanNanoseconds) * quantile(survival: stream.openUnit(ordinal)))
    }

    // In units of the mean.

    var start: Double { 0 }

    func survival(at x: Double) -> (logarithm: Double, hazard: Double) {
        let second = 1 - first
        let fast = first * PortableMath.exp(-2 * first * x)
        let slow = second * PortableMath.exp(-2 * second * x)
        let density = 2 * (first * fast + second * slow)
        return (PortableMath.log(fast + slow), density / (fast + slow))
    }
}

extension HyperexponentialLaw {
    static func setting(within range: ClosedRange<Int64>) -> Setting<HyperexponentialLaw> {
        Setting(
            "hyperexponential",
            .section { read in
                HyperexponentialLaw(
                    mean: read("mean", .duration(range), "The mean."),
                    squaredVariation: read(
                        "squaredVariation", .number(1...10_000),
                        "Variance over squared mean; 1 is exponential."))
            },
            "Varies more than an exponential law: two of them mixed.")
    }
}

extension Distribution {
    /// Two exponential laws mixed so that each carries half the mean; `squaredVariation` ≥ 1.
    public static func hyperexponential(mean: Int64, squaredVariation: Double) -> Distribution {
        Distribution(HyperexponentialLaw(mean: mean, squaredVariation: squaredVariation))
    }
}
