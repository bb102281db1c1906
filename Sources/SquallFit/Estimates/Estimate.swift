import Foundation
public import SquallReport

/// A number that was worked out of a log: its interval, and how many lines it rests on.
public struct Estimate: Codable, Hashable, Sendable {
    /// The number, with the interval that holds the true one in 95 of 100 cases.
    public let interval: ConfidenceInterval
    /// How many lines, or pauses between lines, it rests on.
    public let count: Int

    /// The number itself.
    public var value: Double { interval.value }
    /// The ends of its interval; nil where none is known.
    public var low: Double? { interval.low }
    /// The upper end.
    public var high: Double? { interval.high }

    init(_ value: Double, low: Double?, high: Double?, count: Int) {
        interval = ConfidenceInterval(value, low: low, high: high)
        self.count = count
    }

    /// A mean with the interval of the central limit theorem, unless that is not known.
    init(meanOf values: [Double], isKnown: Bool = true) {
        let moments = Moments(values)
        let half = Self.normal * (moments.variance / Double(max(1, values.count))).squareRoot()
        self.init(
            moments.mean, low: isKnown && values.count > 1 ? moments.mean - half : nil,
            high: isKnown && values.count > 1 ? moments.mean + half : nil, count: values.count)
    }

    /// The same with an interval so many times as wide.
    func widened(by factor: Double) -> Estimate {
        Estimate(
            value, low: low.map { value - (value - $0) * factor },
            high: high.map { value + ($0 - value) * factor }, count: count)
    }

    /// A share, with Wilson's interval ("Probable inference", JASA 1927).
    init(share hits: Int, of count: Int) {
        guard count > 0 else {
            self.init(0, low: nil, high: nil, count: 0)
            return
        }
        let (n, p) = (Double(count), Double(hits) / Double(count))
        let square = Self.normal * Self.normal
        let middle = (p + square / (2 * n)) / (1 + square / n)
        let half =
            Self.normal / (1 + square / n)
            * (p * (1 - p) / n + square / (4 * n * n)).squareRoot()
        self.init(p, low: max(0, middle - half), high: min(1, middle + half), count: count)
    }

    /// The quantile of the normal law for 95 %.
    static let normal = 1.959964
}

/// Mean and variance of some numbers.
struct Moments {
    let mean: Double
    /// Of the law they are drawn from: divided by one less than their count.
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

    /// Variance over squared mean.
    var squaredVariation: Double { mean == 0 ? 0 : variance / (mean * mean) }
}

extension [Double] {
    /// The value below which a share of sorted numbers lies; 0 for none.
    func quantile(_ share: Double) -> Double {
        guard let last else { return 0 }
        let place = share * Double(count - 1)
        let low = Int(place)
        guard low + 1 < count else { return last }
        return self[low] + (self[low + 1] - self[low]) * (place - Double(low))
    }
}
