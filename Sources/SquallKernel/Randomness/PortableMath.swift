/// Functions of the C library from the four IEEE operations alone.
///
/// libm's versions differ in the last digit between systems, and one digit is enough to move an
/// event past another. These give the same bits everywhere; their error is below 4 units in the
/// last place, that of `erfc` below 1e-13 of its value, which no sampled latency can show.
public enum PortableMath {
    private static let ln2High = 0x1.62e42fefa3800p-1
    private static let ln2Low = 0x1.ef35793c76730p-45

    /// The natural logarithm.
    ///
    /// With x = m·2ᵉ and √½ ≤ m < √2, ln x = e·ln 2 + 2·artanh((m−1)/(m+1)), the latter by its
    /// series.
    public static func log(_ value: Double) -> Double {
        guard value > 0, value.isFinite else {
            return value == 0 ? -.infinity : value > 0 ? value : .nan
        }
        // The fields of a normal number are read at once; the library's own look-up is a call each.
        let bits = value.bitPattern
        let isNormal = bits >> 52 > 0
        var exponent = Double(isNormal ? Int(bits >> 52) - 1023 : value.exponent)
        var mantissa =
            isNormal
            ? Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
            : value.significand
        if mantissa > 1.4142135623730951 {
            mantissa /= 2
            exponent += 1
        }
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        // Written out, as every sampled latency takes one: the quotients are constants then.
        var sum = 1.0 / 23 * square
        sum = (sum + 1.0 / 21) * square
        sum = (sum + 1.0 / 19) * square
        sum = (sum + 1.0 / 17) * square
        sum = (sum + 1.0 / 15) * square
        sum = (sum + 1.0 / 13) * square
        sum = (sum + 1.0 / 11) * square
        sum = (sum + 1.0 / 9) * square
        sum = (sum + 1.0 / 7) * square
        sum = (sum + 1.0 / 5) * square
        sum = (sum + 1.0 / 3) * square
        return exponent * ln2High + (2 * ratio + (2 * ratio * sum + exponent * ln2Low))
    }

    /// The logarithm to base 10.
    public static func log10(_ value: Double) -> Double { log(value) / ln10 }

    private static let ln10 = 2.302585092994045684

    /// e to a power; beyond ±700 it is 0 or infinite.
    ///
    /// With p = k·ln 2 + r and |r| ≤ ln 2 / 2, eᵖ = 2ᵏ·eʳ, the latter by its series.
    public static func exp(_ power: Double) -> Double {
        guard abs(power) <= 700 else { return power < 0 ? 0 : power > 0 ? .infinity : .nan }
        let exponent = (power / (ln2High + ln2Low)).rounded()
        let rest = (power - exponent * ln2High) - exponent * ln2Low
        var sum = 1.0
        var divisor = 17.0
        while divisor >= 1 {
            sum = 1 + sum * rest / divisor
            divisor -= 1
        }
        return Double(sign: .plus, exponent: Int(exponent), significand: sum)
    }

    /// The logarithm of the gamma function of a positive number, by Stirling's series; smaller
    /// numbers are moved above 10 by Γ(x + 1) = x·Γ(x).
    public static func logGamma(_ value: Double) -> Double {
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
    public static func erfc(_ value: Double) -> Double {
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

    /// The standard normal variate below which a share `probability` of all lie.
    ///
    /// Wichura's algorithm AS 241 (PPND16, Applied Statistics 37, 1988), relative error about
    /// 10⁻¹⁶.
    ///
    /// - Precondition: 0 < `probability` < 1.
    public static func normalQuantile(_ probability: Double) -> Double {
        precondition(probability > 0 && probability < 1, "no normal quantile of \(probability)")
        let offset = probability - 0.5
        if abs(offset) <= 0.425 {
            let r = 0.180625 - offset * offset
            return offset * polynomial(centreTop, r) / polynomial(centreBottom, r)
        }
        let tail = (-log(min(probability, 1 - probability))).squareRoot()
        let magnitude =
            tail <= 5
            ? polynomial(shoulderTop, tail - 1.6) / polynomial(shoulderBottom, tail - 1.6)
            : polynomial(tailTop, tail - 5) / polynomial(tailBottom, tail - 5)
        return offset < 0 ? -magnitude : magnitude
    }

    /// A polynomial by Horner's rule, highest coefficient first.
    private static func polynomial(_ coefficients: [Double], _ variable: Double) -> Double {
        coefficients.reduce(0) { $0 * variable + $1 }
    }

    private static let centreTop = [
        2509.0809287301226727, 33430.575583588128105, 67265.770927008700853,
        45921.953931549871457, 13731.693765509461125, 1971.5909503065514427,
        133.14166789178437745, 3.387132872796366608,
    ]
    private static let centreBottom = [
        5226.495278852854561, 28729.085735721942674, 39307.89580009271061,
        21213.794301586595867, 5394.1960214247511077, 687.1870074920579083,
        42.313330701600911252, 1,
    ]
    private static let shoulderTop = [
        7.7454501427834140764e-4, 0.0227238449892691845833, 0.24178072517745061177,
        1.27045825245236838258, 3.64784832476320460504, 5.7694972214606914055,
        4.6303378461565452959, 1.42343711074968357734,
    ]
    private static let shoulderBottom = [
        1.05075007164441684324e-9, 5.475938084995344946e-4, 0.0151986665636164571966,
        0.14810397642748007459, 0.68976733498510000455, 1.6763848301838038494,
        2.05319162663775882187, 1,
    ]
    private static let tailTop = [
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 0.0012426609473880784386,
        0.026532189526576123093, 0.29656057182850489123, 1.7848265399172913358,
        5.4637849111641143699, 6.6579046435011037772,
    ]
    private static let tailBottom = [
        2.04426310338993978564e-15, 1.4215117583164458887e-7, 1.8463183175100546818e-5,
        7.868691311456132591e-4, 0.0148753612908506148525, 0.13692988092273580531,
        0.59983220655588793769, 1,
    ]
}
