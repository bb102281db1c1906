/// Student's t distribution with a whole number of degrees of freedom.
///
/// The central probability has a finite form for whole degrees (Abramowitz and Stegun, 26.7.3 and
/// 26.7.4), made of the four operations, square roots and one arc tangent; so every machine gets
/// the same digits. Quantiles are found by bisection.
enum StudentT {
    /// P(|T| ≤ t).
    ///
    /// - Precondition: there is at least one degree of freedom, and `t` is not negative.
    static func central(_ t: Double, freedom: Int) -> Double {
        precondition(freedom >= 1 && t >= 0, "no probability of t=\(t), \(freedom) degrees")
        let nu = Double(freedom)
        let cosine = (nu / (nu + t * t)).squareRoot()
        let sine = t / (nu + t * t).squareRoot()
        let isEven = freedom.isMultiple(of: 2)
        var term = isEven ? 1.0 : cosine
        var sum = isEven || freedom > 1 ? term : 0
        var step = isEven ? 2 : 3
        while step <= freedom - 2 {
            term *= cosine * cosine * Double(step - 1) / Double(step)
            sum += term
            step += 2
        }
        guard !isEven else { return min(1, sine * sum) }
        return min(1, 2 / Double.pi * (arcTangent(t / nu.squareRoot()) + sine * sum))
    }

    /// P(|T| > t).
    static func twoSided(_ t: Double, freedom: Int) -> Double {
        guard t.isFinite else { return 0 }
        return max(0, 1 - central(t.magnitude, freedom: freedom))
    }

    /// The t within which a share `level` lies: t₀.₉₇₅ for a level of 0.95.
    ///
    /// - Precondition: 0 < `level` < 1.
    static func quantile(level: Double, freedom: Int) -> Double {
        precondition(level > 0 && level < 1, "no quantile at a level of \(level)")
        var (low, high) = (0.0, 1.0)
        while central(high, freedom: freedom) < level, high < 1e15 { high *= 2 }
        for _ in 0..<100 {
            let middle = (low + high) / 2
            if central(middle, freedom: freedom) < level { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The arc tangent of a number that is not negative, by halving the angle until the series
    /// converges fast.
    private static func arcTangent(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        guard value <= 1 else { return Double.pi / 2 - arcTangent(1 / value) }
        var x = value
        for _ in 0..<4 { x /= 1 + (1 + x * x).squareRoot() }
        var sum = 0.0
        for power in stride(from: 15.0, through: 1.0, by: -2.0) { sum = 1 / power - x * x * sum }
        return 16 * x * sum
    }
}
