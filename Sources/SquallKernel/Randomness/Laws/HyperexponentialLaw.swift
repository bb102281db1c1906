/// Two exponential laws mixed so that each carries half the mean; any squared variation from 1.
struct HyperexponentialLaw: SurvivalLaw {
    static let name = "hyperexponential"
    static let about = "Varies more than an exponential law: two of them mixed."
    static let parameters = [
        LawParameter<Self>(name: "mean", place: \.mean, about: "The mean."),
        LawParameter<Self>(
            name: "squaredVariation", kind: .number(1...10_000), place: \.squaredVariation,
            about: "Variance over squared mean; 1 is exponential."),
    ]

    private(set) var mean = 0.0
    private var squaredVariation = 1.0 {
        didSet { first = Self.first(squaredVariation) }
    }
    /// How likely the first law is; its rate is twice this.
    private var first = 0.5

    init() {}

    /// A law with a mean and its variance over the squared mean, which is at least 1.
    init(mean: Double, squaredVariation: Double) {
        precondition(
            squaredVariation >= 1 && squaredVariation.isFinite,
            "a hyperexponential law has a squared variation from 1 on, not \(squaredVariation)")
        (self.mean, self.squaredVariation) = (mean, squaredVariation)
        first = Self.first(squaredVariation)
    }

    private static func first(_ squaredVariation: Double) -> Double {
        (1 + ((squaredVariation - 1) / (squaredVariation + 1)).squareRoot()) / 2
    }

    var variance: Double { squaredVariation * mean * mean }

    var unit: Double { mean }

    var start: Double { 0 }

    func survival(at x: Double) -> (logarithm: Double, hazard: Double) {
        let second = 1 - first
        let fast = first * PortableMath.exp(-2 * first * x)
        let slow = second * PortableMath.exp(-2 * second * x)
        let density = 2 * (first * fast + second * slow)
        return (PortableMath.log(fast + slow), density / (fast + slow))
    }
}

extension Distribution {
    /// Two exponential laws mixed so that each carries half the mean; `squaredVariation` ≥ 1.
    public static func hyperexponential(mean: Int64, squaredVariation: Double) -> Distribution {
        hyperexponential(mean: Double(mean), squaredVariation: squaredVariation)
    }

    /// A law with an estimated mean.
    @_disfavoredOverload
    public static func hyperexponential(mean: Double, squaredVariation: Double) -> Distribution {
        Distribution(HyperexponentialLaw(mean: mean, squaredVariation: squaredVariation))
    }
}
