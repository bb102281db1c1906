public import SquallFormat

/// A run's evidence about a threshold, as a sum divided by a sum, so that runs can be added up.
///
/// `p(95)<2s` says that at most 5 % of the values reach 2 s: the part counts those that do, the
/// whole counts all, and the limit is 0.05. `avg<2s` is a sum of durations over their number, and
/// a count is itself over one run. The sums of several runs are added before they are divided, so
/// quotients are never averaged.
public struct ThresholdEvidence: Codable, Hashable, Sendable {
    /// The metric and what is expected of it, as `--threshold` takes it.
    public let threshold: String
    /// The kind of the quotient.
    public let kind: Kind
    /// The numerator.
    public let part: Double
    /// The denominator; 0 when the threshold was not tested.
    public let whole: Double
    /// The limit of the quotient, from above or below.
    public let limit: Double
    /// Whether the limit is an upper one.
    public let isUpperLimit: Bool
    /// Whether the denominator still grows with the time of the run.
    public let isGrowing: Bool
    /// Whether this run alone met the threshold.
    public let holds: Bool
    /// The number compared with the threshold; nil without a sample.
    @OrNull public private(set) var observed: Double?
    /// The unit of that number, as a summary writes it; nil without a sample.
    @OrNull private var unit: Quantity.Unit?

    fileprivate init(
        _ threshold: Threshold, _ kind: Kind, _ sums: Threshold.Sums, _ result: ThresholdResult
    ) {
        self.threshold = "\(threshold.selection): \(threshold.expression)"
        self.kind = kind
        part = sums.part
        whole = sums.whole
        limit = sums.limit
        isUpperLimit = sums.isUpper
        isGrowing = sums.isGrowing
        holds = result.ok
        observed = result.observed?.magnitude
        unit = result.observed?.unit
    }

    /// The kind of a quotient.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A count over a count.
        case share
        /// A sum of any size over a count, a time or one run.
        case quantity
        /// It only holds or fails, as `count==0`.
        case step
    }

    /// The number compared with the threshold, with its unit; nil without a sample.
    public var quantity: Quantity? {
        guard let observed, let unit else { return nil }
        return Quantity(observed, unit)
    }

    /// The unit of the observed number, as a summary writes it; nil without a sample.
    public var unitName: String? { unit?.rawValue }

    /// Whether the threshold fails however good the rest of the run is.
    ///
    /// The rest is assumed to bring as many samples per time as before, all of them good; even then
    /// the value must exceed twice the limit, since the load may grow.
    /// `share` is the part of the judged time that has passed.
    public func isLost(afterShare share: Double) -> Bool {
        guard isUpperLimit, !holds, whole > 0, share > 0 else { return false }
        if kind == .step { return limit == 0 && part > 0 }
        return part > 2 * limit * (isGrowing ? whole / share : whole)
    }
}

extension Threshold {
    /// The evidence in a metric's value.
    public func evidence(
        of value: MetricValue?, overNanoseconds duration: Int64
    ) -> ThresholdEvidence {
        let result = judge(value, overNanoseconds: duration)
        let sums = sums(of: value, observed: result.observed?.magnitude, duration)
        return ThresholdEvidence(self, kind(of: sums), sums, result)
    }

    fileprivate struct Sums {
        var part: Double
        var whole: Double
        var limit: Double
        var isUpper: Bool
        var isGrowing = true
        var isShare = false
    }

    private func kind(of sums: Sums) -> ThresholdEvidence.Kind {
        switch comparison {
        case .equal, .identical, .unequal: .step
        case .below, .atMost, .above, .atLeast:
            sums.limit <= 0 ? .step : sums.isShare ? .share : .quantity
        }
    }

    private func sums(of value: MetricValue?, observed: Double?, _ duration: Int64) -> Sums {
        let isUpper = ![Comparison.above, .atLeast].contains(comparison)
        let one = Sums(
            part: observed ?? 0, whole: observed == nil ? 0 : 1, limit: limit.magnitude,
            isUpper: isUpper, isGrowing: false)
        switch (value, aggregate) {
        case (.trend(let histogram)?, .average):
            return Sums(
                part: Double(histogram.sum), whole: Double(histogram.count),
                limit: limit.magnitude, isUpper: isUpper)
        case (.trend(let histogram)?, .percentile(let percentile)):
            return beyond(histogram, percentile)
        case (.trend(let histogram)?, .median): return beyond(histogram, 50)
        case (.rate(let ratio)?, _), (.ratio(let ratio)?, _):
            let isShare = if case .rate? = value { true } else { false }
            return Sums(
                part: Double(ratio.part), whole: Double(ratio.whole), limit: limit.magnitude,
                isUpper: isUpper, isShare: isShare)
        case (.counter(let count)?, .rate):
            return Sums(
                part: Double(count.underLoad), whole: Double(duration) / 1e9,
                limit: limit.magnitude,
                isUpper: isUpper)
        default: return one
        }
    }

    /// The number of values on the wrong side of a percentile's limit.
    ///
    /// Values are classified as ``Histogram/value(atPercentile:)`` reports them, so the quotient
    /// exceeds its limit exactly when the percentile does.
    private func beyond(_ histogram: Histogram, _ percentile: Double) -> Sums {
        var count: Int64 = 0
        for bucket in histogram.buckets {
            let value = Double(min(bucket.highest, histogram.maximum))
            if !comparison.holds(value, limit.magnitude) { count += bucket.count }
        }
        let isUpper = ![Comparison.above, .atLeast].contains(comparison)
        return Sums(
            part: Double(count), whole: Double(histogram.count),
            limit: (isUpper ? 100 - percentile : percentile) / 100, isUpper: true, isShare: true)
    }
}
