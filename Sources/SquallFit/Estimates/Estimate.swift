import Foundation
import SquallFormat
import SquallReport

/// A number estimated from a log: its interval, and the number of lines that it is based on.
struct Estimate: Codable, Equatable, Sendable {
    /// The number, with an interval that contains the true one in 95 of 100 cases.
    let interval: ConfidenceInterval
    /// The number of lines, or of pauses between lines, that it is based on.
    let count: Int

    /// The number itself.
    var value: Double { interval.value }
    /// The lower end of its interval; nil where none is known.
    var low: Double? { interval.low }
    /// The upper end of its interval; nil where none is known.
    var high: Double? { interval.high }

    init(_ value: Double, low: Double? = nil, high: Double? = nil, count: Int) {
        interval = ConfidenceInterval(value, low: low, high: high)
        self.count = count
    }

    /// A mean with the interval of the central limit theorem and its first correction for a skewed
    /// distribution (Johnson, JASA 1978), or without one if that is unknown.
    init(meanOf values: [Double], isKnown: Bool = true) {
        let moments = Moments(values)
        guard isKnown, values.count > 1 else {
            self.init(moments.mean, count: values.count)
            return
        }
        let n = Double(values.count)
        let deviation = moments.variance.squareRoot()
        let cubes = values.reduce(0) { sum, value in
            let part = deviation > 0 ? (value - moments.mean) / deviation : 0
            return sum + part * part * part
        }
        let (z, error) = (Self.normal, deviation / n.squareRoot())
        let shift = (2 * z * z + 1) / (6 * n.squareRoot()) * min(abs(cubes / n), n.squareRoot())
        // Student's quantile, to its second term.
        let quantile = z + (z * z * z + z) / (4 * n)
        let (below, above) = cubes < 0 ? (shift, 0) : (0, shift)
        self.init(
            moments.mean, low: moments.mean - error * (quantile + below),
            high: moments.mean + error * (quantile + above), count: values.count)
    }

    /// A copy that has no interval unless one is known.
    func known(_ isKnown: Bool) -> Estimate { isKnown ? self : Estimate(value, count: count) }

    /// A copy with an interval wider by a factor.
    func widened(by factor: Double) -> Estimate {
        Estimate(
            value, low: low.map { value - (value - $0) * factor },
            high: high.map { value + ($0 - value) * factor }, count: count)
    }

    /// A copy with an interval that is longer by so much at its ends.
    func extended(below: Double, above: Double) -> Estimate {
        guard below > 0 || above > 0 else { return self }
        return Estimate(
            value, low: low.map { max(0, $0 - below) }, high: high.map { $0 + above }, count: count)
    }

    /// A share, with Wilson's interval ("Probable inference", JASA 1927).
    init(share hits: Int, of count: Int) {
        guard count > 0 else {
            self.init(0, count: 0)
            return
        }
        let (n, p) = (Double(count), Double(hits) / Double(count))
        let square = Self.normal * Self.normal
        let middle = (p + square / (2 * n)) / (1 + square / n)
        let half =
            Self.normal / (1 + square / n)
            * (p * (1 - p) / n + square / (4 * n * n)).squareRoot()
        let low = hits == 0 ? 0 : max(0, middle - half)
        self.init(p, low: low, high: hits == count ? 1 : min(1, middle + half), count: count)
    }

    /// How many times as wide the interval of a mean is as that of independent values, since those
    /// of one user are alike.
    ///
    /// By the sums of each user's deviations (Liang and Zeger, "Longitudinal data analysis using
    /// generalized linear models", Biometrika 1986) and Student's quantile for so many users.
    static func alikeness(_ values: [Double], of users: some Sequence<Int>) -> Double {
        let moments = Moments(values)
        var sums: [Int: Double] = [:]
        for (value, user) in zip(values, users) { sums[user, default: 0] += value - moments.mean }
        let apart = moments.variance * Double(values.count)
        guard sums.count > 1, apart > 0 else { return 1 }
        let freedom = Double(sums.count - 1)
        // In one order, since sums of numbers depend on it.
        let alike = sums.ordered { $0.key < $1.key }.reduce(0) { $0 + $1.value * $1.value }
        let student = 1 + (normal * normal + 1) / (4 * freedom)
        return max(1, student * (alike * (freedom + 1) / freedom / apart).squareRoot())
    }

    /// The two-sided 95 % quantile of the normal distribution.
    static let normal = 1.959964
}

/// The mean and variance of some numbers.
struct Moments {
    let mean: Double
    /// The variance of their distribution: divided by their count less one.
    let variance: Double

    init(_ values: [Double]) {
        let count = Double(max(1, values.count))
        let mean = values.reduce(0, +) / count
        self.mean = mean
        variance =
            values.count < 2
            ? 0
            : values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    }

    /// The variance divided by the squared mean.
    var squaredVariation: Double { mean == 0 ? 0 : variance / (mean * mean) }
}

extension [Double] {
    /// The value below which a share of sorted numbers is; 0 for no numbers.
    func quantile(_ share: Double) -> Double {
        guard let last else { return 0 }
        let place = share * Double(count - 1)
        let low = Int(place)
        guard low + 1 < count else { return last }
        return self[low] + (self[low + 1] - self[low]) * (place - Double(low))
    }

    /// Kolmogorov and Smirnov's distance of sorted numbers from a distribution, which is given by
    /// its share below a value.
    func distance(from below: (Double) -> Double) -> Double {
        let all = Double(count)
        return enumerated().reduce(0) { distance, element in
            let (share, index) = (below(element.element), Double(element.offset))
            return Swift.max(distance, abs(share - index / all), abs(share - (index + 1) / all))
        }
    }
}
