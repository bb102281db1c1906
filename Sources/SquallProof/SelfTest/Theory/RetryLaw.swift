/// The results of retrying if every attempt fails independently with the same probability.
struct RetryLaw {
    let failureProbability: Double
    let attemptsMax: Int

    /// The probability that a request is answered in the end: 1 − pᵐ.
    var success: Double { 1 - power(attemptsMax) }

    /// E[attempts] = 1 + p + … + pᵐ⁻¹, which is (1 − pᵐ)/(1 − p) for p < 1 and m for p = 1.
    var meanAttempts: Double { (0..<attemptsMax).reduce(0) { $0 + power($1) } }

    /// Var[attempts], from E[A²] = Σ (2k + 1)·P(A > k) and P(A > k) = pᵏ for k < m.
    var attemptVariance: Double {
        let square = (0..<attemptsMax).reduce(0) { $0 + Double(2 * $1 + 1) * power($1) }
        return square - meanAttempts * meanAttempts
    }

    /// mᵏ: the sends of one request that never succeeds, through k layers that each try m times.
    static func amplification(attempts: Int, layers: Int) -> Int {
        (0..<layers).reduce(1) { product, _ in product * attempts }
    }

    private func power(_ exponent: Int) -> Double {
        (0..<exponent).reduce(1) { product, _ in product * failureProbability }
    }
}
