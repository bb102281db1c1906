import SquallKernel

/// The exact binomial test.
enum Binomial {
    /// The probability of a count at least as far from what is expected, in either direction: twice
    /// the smaller tail.
    ///
    /// - Complexity: O(`all`), with a logarithm for each.
    static func twoSided(_ count: Int, of all: Int, share: Double) -> Double {
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
