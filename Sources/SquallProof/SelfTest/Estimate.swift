import SquallAnswers
import SquallKernel

/// A measured mean and its standard error.
struct Estimate {
    let mean: Double
    /// The standard deviation of the mean; 0 for a number without randomness.
    let standardError: Double
    /// The degrees of freedom of the error; `nil` if a formula gives the error.
    let freedom: Int?

    /// A mean with an error from a formula.
    init(mean: Double, standardError: Double) {
        self.mean = mean
        self.standardError = standardError
        freedom = nil
    }

    /// The mean of independent replications, with an error from their spread.
    ///
    /// - Precondition: there are at least two.
    init(replications: [Double]) {
        mean = replications.mean
        standardError = replications.errorOfMean
        freedom = replications.count - 1
    }

    /// The mean of independent replications, for a comparison with a published one.
    ///
    /// The published mean is a measurement too, of `trials` trials, assumed to have the same spread
    /// as here, and is rounded to a whole number.
    init(replications: [Double], againstTrials trials: Int) {
        let own = Estimate(replications: replications)
        let ratio = Double(replications.count) / Double(trials)
        mean = own.mean
        standardError =
            (own.standardError * own.standardError * (1 + ratio) + 1.0 / 12).squareRoot()
        freedom = own.freedom
    }

    /// The distance of the mean from the truth, in standard deviations of a normal distribution.
    ///
    /// An estimated error makes large deviations likelier. Wallace's transformation (Annals of
    /// Mathematical Statistics 30, 1959) turns Student's t into the normal deviate that is exceeded
    /// with the same probability.
    func deviations(from truth: Double) -> Double {
        guard standardError > 0 else { return mean == truth ? 0 : .infinity }
        let t = (mean - truth) / standardError
        guard let freedom = freedom.map(Double.init) else { return t }
        let normal =
            (8 * freedom + 1) / (8 * freedom + 3)
            * (freedom * PortableMath.log(1 + t * t / freedom)).squareRoot()
        return t < 0 ? -normal : normal
    }
}
