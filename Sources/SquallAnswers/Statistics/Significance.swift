import SquallFormat
import SquallKernel
import SquallLab

/// Tests of whether chance explains a difference, beside Student's.
enum Significance {
    /// Holm's step-down correction of the probabilities of several tests made at once, in their
    /// order.
    ///
    /// The chance of any false difference stays at most 5 %, however many tests there are (Holm,
    /// *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of
    /// Statistics 6, 1979).
    static func corrected(_ probabilities: [Double]) -> [Double] {
        let order = probabilities.indices.ordered { probabilities[$0] < probabilities[$1] }
        var corrected = probabilities
        var highest = 0.0
        for (rank, index) in order.enumerated() {
            highest = max(highest, probabilities[index] * Double(probabilities.count - rank))
            corrected[index] = min(1, highest)
        }
        return corrected
    }

    /// The exact binomial probability of a count at least as far from what is expected, in either
    /// direction: twice the smaller tail.
    ///
    /// - Complexity: O(`all`), with a logarithm for each.
    static func binomial(_ count: Int, of all: Int, share: Double) -> Double {
        precondition((0...all).contains(count) && share > 0 && share < 1)
        var (below, above, choices) = (0.0, 0.0, 0.0)
        for number in 0...all {
            if number > 0 {
                choices +=
                    PortableMath.log(Double(all - number + 1)) - PortableMath.log(Double(number))
            }
            let term = PortableMath.exp(
                choices + Double(number) * PortableMath.log(share)
                    + Double(all - number) * PortableMath.log(1 - share))
            if number <= count { below += term }
            if number >= count { above += term }
        }
        return min(1, 2 * min(below, above))
    }
}

/// The correlation of each number of a row with the next.
///
/// An interval by Student's t assumes independent numbers. Those of one run are correlated; the
/// longer the batches they come from, the less.
struct SerialCorrelation: Sendable {
    /// The correlation of each number with the next one.
    let lag1: Double
    /// Whether it is no larger than chance makes it in 95 of 100 rows of independent numbers.
    let isIndependent: Bool

    /// Computes the correlation; nil for fewer than three numbers, or when all are equal.
    ///
    /// The test is von Neumann's (1941), one-sided, as Fishman and Yarberry use it for batches
    /// (*INFORMS J. Computing* 9, 1997): with q the sum of squared steps over that of squared
    /// distances from the mean, 1 − q/2 is about normal with variance (n−2)/(n²−1).
    init?(of values: [Double]) {
        guard values.count > 2 else { return nil }
        let count = Double(values.count)
        let mean = values.mean
        let distances = values.map { $0 - mean }
        let squares = distances.reduce(0) { $0 + $1 * $1 }
        guard squares > 0 else { return nil }
        let pairs = zip(distances, distances.dropFirst())
        lag1 = pairs.reduce(0) { $0 + $1.0 * $1.1 } / squares
        let steps = pairs.reduce(0) { $0 + ($1.1 - $1.0) * ($1.1 - $1.0) }
        let deviation = ((count - 2) / (count * count - 1)).squareRoot()
        isIndependent = 1 - steps / squares / 2 <= Self.normal95 * deviation
    }

    /// The 0.95 quantile of the standard normal distribution.
    private static let normal95 = 1.644_853_626_951_472_7
}
