/// A law of positive numbers that is sampled by inverting the logarithm of its survival function.
///
/// Newton's method on that logarithm never overshoots twice, because it is concave where the hazard
/// rises and convex where it falls: from the right side in the first case and from zero in the
/// second every step comes closer.
protocol SurvivalLaw {
    /// Where the search begins.
    var start: Double { get }
    /// ln P(X > x) and the hazard rate at x, which is minus its slope.
    func survival(at x: Double) -> (logarithm: Double, hazard: Double)
}

extension SurvivalLaw {
    /// The number that is exceeded with a probability between 0 and 1.
    func quantile(survival probability: Double) -> Double {
        let goal = PortableMath.log(probability)
        var x = start
        // Typically five steps; two hundred cover probabilities within one bit of certainty.
        for _ in 0..<200 {
            let (logarithm, hazard) = survival(at: x)
            let next = max(0, x + (logarithm - goal) / hazard)
            let isClose = abs(next - x) <= 1e-9
            x = next
            if isClose { break }
        }
        return x
    }
}

/// The sum of some exponential stages of mean 1.
struct ErlangLaw: SurvivalLaw {
    let stages: Int

    init(stages: Int) {
        precondition((1...100).contains(stages), "an Erlang law has 1…100 stages, not \(stages)")
        self.stages = stages
    }

    var start: Double { Double(stages) }

    /// P(X > x) is the probability that fewer events than stages happen in x: a Poisson sum.
    func survival(at x: Double) -> (logarithm: Double, hazard: Double) {
        var term = 1.0
        var sum = 1.0
        for stage in 1..<max(1, stages) {
            term *= x / Double(stage)
            sum += term
        }
        return (PortableMath.log(sum) - x, term / sum)
    }
}

/// Two exponential laws with balanced means: unit mean and any squared variation from 1.
struct HyperexponentialLaw: SurvivalLaw {
    /// How likely the first law is; its rate is twice this.
    private let first: Double

    init(squaredVariation: Double) {
        precondition(
            squaredVariation >= 1 && squaredVariation <= 10_000,
            "a hyperexponential law has a squared variation of 1…10000, not \(squaredVariation)")
        first =
            (1 + ((squaredVariation - 1) / (squaredVariation + 1)).squareRoot()) / 2
    }

    var start: Double { 0 }

    func survival(at x: Double) -> (logarithm: Double, hazard: Double) {
        let second = 1 - first
        let fast = first * PortableMath.exp(-2 * first * x)
        let slow = second * PortableMath.exp(-2 * second * x)
        let density = 2 * (first * fast + second * slow)
        return (PortableMath.log(fast + slow), density / (fast + slow))
    }
}
