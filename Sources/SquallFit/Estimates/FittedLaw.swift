import Foundation
import SquallKernel

/// The distribution that durations follow: the best of those in profiles by Akaike's criterion,
/// or the durations themselves where none is near (Kolmogorov and Smirnov's distance).
struct FittedLaw: Sendable {
    let law: Distribution
    /// The distribution's name in profiles.
    var name: String { law.name }
    /// The mean in nanoseconds.
    let mean: Estimate
    /// The largest difference between the distribution's share below a value and the observed one.
    let distance: Double
    /// Each parameter by name, in nanoseconds or as a plain number, with its interval if one is
    /// known.
    let parameters: [(name: String, estimate: Estimate)]

    /// A distribution farther than this is rejected; a sample of a thousand detects that distance.
    private static let distanceMax = 0.04
    private static let sampleMax = 4_000

    /// Fits a distribution to durations in nanoseconds; nil for none.
    ///
    /// Equal durations are spread over the clock's resolution, since a clock in milliseconds makes
    /// steps of any distribution. `further` is additional variance of the mean, and intervals are
    /// `widening` times as wide; there are none where the durations are not known. The mean may be
    /// lower or higher by the lengths in `unknown`, for unknown parts of each duration.
    init?(
        _ all: consuming [Double], resolution: Int64 = 1, further: Double = 0, widening: Double = 1,
        isKnown: Bool = true, unknown: (below: Double, above: Double) = (0, 0)
    ) {
        guard !all.isEmpty else { return nil }
        let own = Moments(copy all).variance / Double(all.count)
        let factor = isKnown ? widening * (own > 0 ? (1 + further / own).squareRoot() : 1) : nil
        // A clock of milliseconds may round or cut off.
        let rounding = resolution > 1_000 ? Double(resolution) / 2 : 0
        let mean = Estimate(meanOf: copy all, isKnown: isKnown).widened(by: factor ?? 1)
            .extended(below: unknown.below + rounding, above: unknown.above + rounding)
        let count = all.count
        var sorted = consume all
        sorted.sort()
        // Samples in steps of rank: in steps of time, samples would all be from one place among
        // calls that come together.
        let step = max(1, count / Self.sampleMax)
        let sample = Self.spread(
            stride(from: step / 2, to: count, by: step).map { sorted[$0] }, resolution)
        let moments = Moments(sample)
        let leastDeviation = max(0.005 * moments.mean, Double(resolution) * 0.6)
        if moments.variance.squareRoot() < leastDeviation || sample.count < 5 {
            let middle = sample.count < 5 ? mean.value : sample.quantile(0.5)
            self.init(constant: middle, mean)
            return
        }
        let best = Self.likeliest(sample, moments)
        let limit = max(Self.distanceMax, 1.63 / Double(sample.count).squareRoot())
        let distance = best.map { sample.distance(from: $0.share(below:)) }
        if let best, let distance, distance <= limit {
            self.init(best, Self.holding(best, mean, factor), distance: distance, factor)
        } else {
            self.init(Self.parts(sorted), mean)
        }
    }

    /// A mean with an interval that holds what the law says of it, too.
    ///
    /// A law has the tail of which a sample has too little. Without a bound of its variance nothing
    /// is known.
    private static func holding(
        _ law: Distribution, _ mean: Estimate, _ factor: Double?
    ) -> Estimate {
        guard let factor, let low = mean.low, let high = mean.high else { return mean }
        guard law.variance.isFinite else { return mean.known(false) }
        let half = Estimate.normal * factor * (law.variance / Double(mean.count)).squareRoot()
        return Estimate(
            mean.value, low: min(low, law.mean - half), high: max(high, law.mean + half),
            count: mean.count)
    }

    /// The distribution that remains of pauses after subtracting another pause with a known
    /// distribution: by means and variances, in the form with the sum nearest to the pauses.
    ///
    /// `doubt` is the share of the pauses that may be the other ones alone.
    /// Those that had not ended make the interval of their mean `widening` times as wide.
    init?(
        _ pauses: [Double], less other: [Double], doubt: Double, widening: Double = 1, isKnown: Bool
    ) {
        guard pauses.count >= 5, other.count >= 5 else {
            self.init(pauses)
            return
        }
        let (whole, part) = (Moments(pauses), Moments(other))
        let mean = max(0, whole.mean - part.mean)
        let error =
            Estimate.normal
            * (widening * widening * whole.variance / Double(pauses.count) + part.variance
            / Double(other.count))
            .squareRoot() + doubt * whole.mean
        let estimate = Estimate(
            mean, low: isKnown ? max(0, mean - error) : nil, high: isKnown ? mean + error : nil,
            count: pauses.count)
        let variance = max(0, whole.variance - part.variance)
        let best = Self.nearest(
            Self.laws(mean: mean, variance: variance), to: pauses.sorted(), less: other.sorted())
        let limit = max(Self.distanceMax, 1.63 / Double(pauses.count).squareRoot())
        if let best, best.distance <= limit {
            if best.law == .constant(nanoseconds: Int64(mean)) {
                self.init(constant: mean, estimate, distance: best.distance)
            } else {
                self.init(best.law, estimate, distance: best.distance)
            }
        } else {
            self.init(Self.parts(pauses.map { max(0, $0 - part.mean) }.sorted()), estimate)
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
        var (before, parts, sum): (Int64, [(Double, Int)], Double) = (0, [], 0)
        let count = histogram.count
        guard count > 0 else { return nil }
        // Profiles have weights of up to a million.
        let scale = max(1, Double(count) / 1e6)
        for bucket in histogram.buckets {
            let middle = (Double(before) + Double(bucket.bound)) / 2
            sum += middle * Double(bucket.count)
            if bucket.count > 0 {
                parts.append((middle, max(1, Int((Double(bucket.count) / scale).rounded()))))
            }
            before = bucket.bound
        }
        self.init(parts, Estimate(sum / Double(count), count: count))
    }

    /// A law with its parameters; an interval is `factor` times as wide as the law alone says, and
    /// there is none without a factor.
    private init(
        _ law: Distribution, _ mean: Estimate, distance: Double, _ factor: Double? = 1
    ) {
        (self.law, self.mean, self.distance) = (law, mean, distance)
        parameters = law.values(of: Double(mean.count)).map { name, value, error in
            guard name != "mean" else { return (name, mean) }
            let half = factor.flatMap { factor in error.map { $0 * Estimate.normal * factor } }
            return (
                name,
                Estimate(
                    value, low: half.map { value - $0 }, high: half.map { value + $0 },
                    count: mean.count)
            )
        }
    }

    private init(constant value: Double, _ mean: Estimate, distance: Double = 0) {
        law = .constant(nanoseconds: ProfileValue.rounded(value))
        (self.mean, self.distance) = (mean, distance)
        parameters = [(law.name, Estimate(value, count: mean.count))]
    }

    private init(_ parts: [(nanoseconds: Double, weight: Int)], _ mean: Estimate) {
        let table = parts.map { (ProfileValue.rounded($0.nanoseconds), UInt64($0.weight)) }
        self.init(.empirical(EmpiricalDistribution(table)), mean, distance: 0)
    }

    /// The means of parts of sorted durations: small parts where durations differ most.
    private static func parts(_ sorted: [Double]) -> [(nanoseconds: Double, weight: Int)] {
        var edges = (0...36).map { Double($0) * 0.025 }
        edges += [0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998, 1]
        var (parts, before) = ([(nanoseconds: Double, weight: Int)](), 0)
        for edge in edges.dropFirst() {
            let end = min(sorted.count, Int((edge * Double(sorted.count)).rounded()))
            guard end > before else { continue }
            let part = sorted[before..<end]
            let mean = part.reduce(0, +) / Double(part.count)
            parts.append((max(0, mean), part.count))
            before = end
        }
        return parts
    }
}
