import SquallKernel

/// The functions of the C library that estimates need, with the same bits on every system.
///
/// A fit decides by comparing likelihoods, and glibc's versions differ in the last digits between
/// releases and processors. Beyond the range of `PortableMath` these are 0, infinite or not a
/// number, as the C library's.
enum Portable {
    private static let ln10 = 2.302585092994045684

    static func log(_ value: Double) -> Double {
        if value > 0, value.isFinite { return PortableMath.log(value) }
        return value == 0 ? -.infinity : value > 0 ? value : .nan
    }

    static func log10(_ value: Double) -> Double { log(value) / ln10 }

    static func exp(_ power: Double) -> Double {
        if abs(power) <= 700 { return PortableMath.exp(power) }
        return power < 0 ? 0 : power > 0 ? .infinity : .nan
    }

    /// The logarithm of the gamma function of a positive number, by Stirling's series; smaller
    /// numbers are moved above 10 by Γ(x + 1) = x·Γ(x).
    static func logGamma(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return value == 0 ? .infinity : .nan }
        var (x, product) = (value, 1.0)
        while x < 10 {
            product *= x
            x += 1
        }
        let square = 1 / (x * x)
        let sum = stirling.reduce(0) { $0 * square + $1 }
        return (x - 0.5) * log(x) - x + halfLogOfTwoPi + sum / x - log(product)
    }

    private static let halfLogOfTwoPi = 0.918938533204672742
    private static let stirling: [Double] = [
        1 / 156, -691 / 360_360, 1 / 1_188, -1 / 1_680, 1 / 1_260, -1 / 360, 1 / 12,
    ]

    /// The complementary error function: by the series of the error function below 2, by the
    /// continued fraction above.
    static func erfc(_ value: Double) -> Double {
        guard value >= 0 else { return value < 0 ? 2 - erfc(-value) : .nan }
        let square = value * value
        let scale = exp(-square) / Double.pi.squareRoot()
        guard value >= 2 else {
            let sum = stride(from: 40.0, through: 1, by: -1).reduce(1) { sum, term in
                1 + sum * 2 * square / (2 * term + 1)
            }
            return 1 - 2 * scale * value * sum
        }
        guard scale > 0 else { return 0 }
        let fraction = stride(from: 60.0, through: 1, by: -1).reduce(1) { fraction, term in
            1 + term / (2 * square) / fraction
        }
        return scale / (value * fraction)
    }
}
