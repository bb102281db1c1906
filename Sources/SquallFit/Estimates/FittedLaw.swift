import Foundation
import SquallFormat

/// The distribution that durations follow: the best of those in profiles by Akaike's criterion,
/// or the durations themselves where none is near (Kolmogorov and Smirnov's distance).
struct FittedLaw: Sendable {
    /// Its form with the parameters.
    let form: Form
    /// The mean in nanoseconds.
    let mean: Estimate
    /// The largest difference between the distribution's share below a value and the one seen.
    let distance: Double
    /// Each parameter by name, in nanoseconds or as a plain number, with its interval if one is
    /// known.
    let parameters: [Parameter]

    /// The forms of distributions.
    enum Form: Sendable {
        case constant(Double)
        case exponential(mean: Double, least: Double)
        case logNormal(median: Double, sigma: Double)
        case erlang(stages: Int, mean: Double)
        case hyperexponential(mean: Double, squaredVariation: Double)
        case pareto(scale: Double, shape: Double)
        case uniform(low: Double, high: Double)
        /// The means of parts of the durations, each with its weight.
        case empirical([Weighted])
    }

    /// A value with a weight.
    struct Weighted: Sendable {
        let nanoseconds: Double
        let weight: Int
    }

    /// A parameter.
    struct Parameter: Sendable {
        /// Its name in profiles.
        let name: String
        /// Its estimate.
        let estimate: Estimate
    }

    /// A distribution farther than this is rejected; a sample of a thousand detects that distance.
    private static let distanceMax = 0.04
    private static let sampleMax = 4_000

    /// Fits a distribution to durations in nanoseconds; nil for none.
    ///
    /// Equal durations are spread over the clock's resolution, since a clock in milliseconds makes
    /// steps of any distribution. `further` is additional variance of the mean, which widens the
    /// intervals; there are none where the durations are not known.
    init?(
        _ all: [Double], resolution: Int64 = 1, further: Double = 0, isKnown: Bool = true
    ) {
        guard !all.isEmpty else { return nil }
        let own = Moments(all).variance / Double(all.count)
        let factor = isKnown ? own > 0 ? (1 + further / own).squareRoot() : 1 : nil
        let mean = Estimate(meanOf: all, isKnown: isKnown).widened(by: factor ?? 1)
        let sorted = all.sorted()
        // Samples in steps of rank: in steps of time, samples would all be from one place among
        // calls that come together.
        let step = max(1, all.count / Self.sampleMax)
        let sample = Self.spread(
            stride(from: step / 2, to: all.count, by: step).map { sorted[$0] }, resolution)
        let moments = Moments(sample)
        let leastDeviation = max(0.005 * moments.mean, Double(resolution) * 0.6)
        if moments.variance.squareRoot() < leastDeviation || sample.count < 5 {
            let middle = sample.count < 5 ? mean.value : sample.quantile(0.5)
            self.init(.constant(middle), mean, distance: 0, all.count)
            return
        }
        let candidates = LawCandidate.all(sample, moments)
        let best = LawCandidate.best(of: candidates)
        let limit = max(Self.distanceMax, 1.63 / Double(sample.count).squareRoot())
        let distance = best.map { sample.distance(from: $0.form.below) }
        if let best, let distance, distance <= limit {
            self.init(best.form, mean, distance: distance, all.count, factor)
        } else {
            self.init(.empirical(Self.parts(sorted)), mean, distance: 0, all.count)
        }
    }

    /// The distribution that remains of pauses after subtracting another pause with a known
    /// distribution: by means and variances, in the form with the sum nearest to the pauses.
    ///
    /// `doubt` is the share of the pauses that may be the other ones alone.
    init?(_ pauses: [Double], less other: [Double], doubt: Double, isKnown: Bool) {
        guard pauses.count >= 5, other.count >= 5 else {
            self.init(pauses)
            return
        }
        let (whole, part) = (Moments(pauses), Moments(other))
        let mean = max(0, whole.mean - part.mean)
        let error =
            Estimate.normal
            * (whole.variance / Double(pauses.count) + part.variance / Double(other.count))
            .squareRoot() + doubt * whole.mean
        let estimate = Estimate(
            mean, low: isKnown ? max(0, mean - error) : nil, high: isKnown ? mean + error : nil,
            count: pauses.count)
        let variance = max(0, whole.variance - part.variance)
        let sums = PauseSum(pauses.sorted(), other.sorted())
        let best = LawCandidate.forms(mean: mean, variance: variance)
            .map { ($0, sums.distance($0)) }.min { $0.1 < $1.1 }
        let limit = max(Self.distanceMax, 1.63 / Double(pauses.count).squareRoot())
        if let best, best.1 <= limit {
            self.init(best.0, estimate, distance: best.1, pauses.count)
        } else {
            let rest = pauses.map { max(0, $0 - part.mean) }.sorted()
            self.init(.empirical(Self.parts(rest)), estimate, distance: 0, pauses.count)
        }
    }

    /// Spreads equal ones of sorted durations evenly over the clock's resolution.
    private static func spread(_ sorted: [Double], _ resolution: Int64) -> [Double] {
        var (spread, start) = (sorted, 0)
        while start < sorted.count {
            var end = start
            while end < sorted.count, sorted[end] == sorted[start] { end += 1 }
            for index in start..<end {
                let place = (Double(index - start) + 0.5) / Double(end - start) - 0.5
                spread[index] = max(1, sorted[index] + place * Double(resolution))
            }
            start = end
        }
        return spread.sorted()
    }

    /// The distribution of a histogram: the middles of its buckets.
    init?(_ histogram: HistogramTimes) {
        var (before, parts, sum): (Int64, [Weighted], Double) = (0, [], 0)
        let count = histogram.count
        guard count > 0 else { return nil }
        // Profiles have weights of up to a million.
        let scale = max(1, Double(count) / 1e6)
        for bucket in histogram.buckets {
            let middle = (Double(before) + Double(bucket.bound)) / 2
            sum += middle * Double(bucket.count)
            if bucket.count > 0 {
                let weight = max(1, Int((Double(bucket.count) / scale).rounded()))
                parts.append(Weighted(nanoseconds: middle, weight: weight))
            }
            before = bucket.bound
        }
        self.init(
            .empirical(parts), Estimate(sum / Double(count), count: count), distance: 0, count)
    }

    private init(
        _ form: Form, _ mean: Estimate, distance: Double, _ count: Int, _ factor: Double? = 1
    ) {
        self.form = form
        self.mean = mean
        self.distance = distance
        parameters = Self.parameters(form, mean, count, factor)
    }

    /// The means of parts of sorted durations: small parts where durations differ most.
    private static func parts(_ sorted: [Double]) -> [Weighted] {
        var edges = (0...36).map { Double($0) * 0.025 }
        edges += [0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998, 1]
        var (parts, before) = ([Weighted](), 0)
        for edge in edges.dropFirst() {
            let end = min(sorted.count, Int((edge * Double(sorted.count)).rounded()))
            guard end > before else { continue }
            let part = sorted[before..<end]
            let mean = part.reduce(0, +) / Double(part.count)
            parts.append(Weighted(nanoseconds: max(0, mean), weight: part.count))
            before = end
        }
        return parts
    }

    private static func parameters(
        _ form: Form, _ mean: Estimate, _ count: Int, _ factor: Double?
    ) -> [Parameter] {
        let n = Double(count)
        func about(_ name: String, _ value: Double, error: Double?) -> Parameter {
            let half = factor.flatMap { factor in error.map { $0 * Estimate.normal * factor } }
            return Parameter(
                name: name,
                estimate: Estimate(
                    value, low: half.map { value - $0 }, high: half.map { value + $0 }, count: count
                ))
        }
        switch form {
        case .constant(let value): return [about("constant", value, error: nil)]
        case .exponential(let value, let least):
            return [
                Parameter(name: "mean", estimate: mean), about("min", least, error: nil),
            ].filter { $0.name == "mean" || value > least && least > 0 }
        case .logNormal(let median, let sigma):
            return [
                about("median", median, error: median * sigma / n.squareRoot()),
                about("sigma", sigma, error: sigma / (2 * n).squareRoot()),
            ]
        case .erlang(let stages, _):
            return [
                about("stages", Double(stages), error: nil),
                Parameter(name: "mean", estimate: mean),
            ]
        case .hyperexponential(_, let variation):
            return [
                Parameter(name: "mean", estimate: mean),
                about("squaredVariation", variation, error: nil),
            ]
        case .pareto(let scale, let shape):
            return [
                about("scale", scale, error: nil),
                about("shape", shape, error: shape / n.squareRoot()),
            ]
        case .uniform(let low, let high):
            return [about("from", low, error: nil), about("to", high, error: nil)]
        case .empirical: return [Parameter(name: "mean", estimate: mean)]
        }
    }
}

extension FittedLaw {
    /// The distribution's name in profiles.
    var name: String { written.name }

    /// The distribution as profiles write it, on one line.
    var json: String { "{ \"\(name)\": \(written.body) }" }

    private var written: (name: String, body: String) {
        switch form {
        case .constant(let value): ("constant", Self.time(value))
        case .exponential(let mean, let least):
            (
                "exponential",
                "{ \"mean\": \(Self.time(mean))"
                    + (least > 0 ? ", \"min\": \(Self.time(least)) }" : " }")
            )
        case .logNormal(let median, let sigma):
            (
                "logNormal",
                "{ \"median\": \(Self.time(median)), \"sigma\": \(Self.number(min(5, sigma))) }"
            )
        case .erlang(let stages, let mean):
            ("erlang", "{ \"stages\": \(stages), \"mean\": \(Self.time(mean)) }")
        case .hyperexponential(let mean, let variation):
            (
                "hyperexponential",
                "{ \"mean\": \(Self.time(mean)), \"squaredVariation\":"
                    + " \(Self.number(min(10_000, max(1, variation)))) }"
            )
        case .pareto(let scale, let shape):
            (
                "pareto",
                "{ \"scale\": \(Self.time(scale)), \"shape\":"
                    + " \(Self.number(min(100, max(0.1, shape)))) }"
            )
        case .uniform(let low, let high):
            ("uniform", "[\(Self.time(low)), \(Self.time(high))]")
        case .empirical(let parts):
            (
                "empirical",
                "["
                    + parts.map { "[\(Self.time($0.nanoseconds)), \($0.weight)]" }
                    .joined(separator: ", ") + "]"
            )
        }
    }

    /// A duration with four significant digits, quoted.
    static func time(_ nanoseconds: Double) -> String { span(nanoseconds).quoted }

    /// A duration with four significant digits.
    static func span(_ nanoseconds: Double) -> String {
        let whole = max(0, min(nanoseconds, 366 * 86_400e9))
        guard whole >= 1 else { return "0s" }
        let unit = PowerOfTen.below(whole, digits: 4)
        return Units.exact(nanoseconds: Int64((whole / unit).rounded() * unit))
    }

    static func number(_ value: Double) -> String { Units.digits(value, significant: 4) }
}

/// Powers of ten, for rounding.
enum PowerOfTen {
    /// Ten to a power from 0 to 18.
    static func to(_ power: Int) -> Double {
        (0..<power).reduce(1.0) { product, _ in product * 10 }
    }

    /// The unit to round to, so that a value keeps the given number of digits; at least 1.
    static func below(_ value: Double, digits: Int) -> Double {
        var unit = 1.0
        var limit = 10.0
        for _ in 1..<digits { limit *= 10 }
        while value / unit >= limit { unit *= 10 }
        return unit
    }
}
