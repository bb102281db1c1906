/// A law known by the logarithm of its survival function, which is inverted for sampling.
///
/// Newton's method on that logarithm never overshoots twice, because it is concave where the hazard
/// rises and convex where it falls: from the right side in the first case and from zero in the
/// second every step comes closer.
protocol SurvivalLaw: WrittenLaw {
    /// The unit of x, in nanoseconds.
    var unit: Double { get }
    /// Where the search begins.
    var start: Double { get }
    /// ln P(X > x) and the hazard rate at x, which is minus its slope.
    func survival(at x: Double) -> (logarithm: Double, hazard: Double)
}

extension SurvivalLaw {
    func sample(_ stream: RandomStream, at ordinal: UInt64) -> Int64 {
        Int64(rounding: unit * quantile(survival: stream.openUnit(ordinal)))
    }

    func share(below value: Double) -> Double {
        let (logarithm, _) = survival(at: value / unit)
        // So far out that a sum of terms is beyond the numbers.
        return logarithm == .infinity ? 1 : 1 - PortableMath.exp(logarithm)
    }

    func logDensity(at value: Double) -> Double {
        let (logarithm, hazard) = survival(at: value / unit)
        return logarithm + PortableMath.log(hazard / unit)
    }

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
