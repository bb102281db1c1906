import SquallFormat
import SquallKernel

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
