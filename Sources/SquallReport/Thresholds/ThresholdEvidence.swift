public import SquallFormat

/// What a run says about a threshold, as a sum over a sum, so that runs add up.
///
/// `p(95)<2s` says that at most 5 % of the values reach 2 s: the part counts those that do, the
/// whole counts all, and the limit is 0.05. `avg<2s` is a sum of durations over their number, and
/// a count is itself over one run. The values of several runs are put together before they are
/// divided, so no quotient of a short run is averaged.
public struct ThresholdEvidence: Codable, Hashable, Sendable {
    /// The metric and what is expected of it, as `--threshold` takes it.
    public let threshold: String
    /// What kind of number the quotient is.
    public let kind: Kind
    /// What is divided.
    public let part: Double
    /// What it is divided by; 0 when nothing put the threshold to the test.
    public let whole: Double
    /// What the quotient must not exceed, or must not fall below.
    public let limit: Double
    /// Whether the limit is one from above.
    public let isUpperLimit: Bool
    /// Whether the whole still grows with the time that the run lasts.
    public let isGrowing: Bool
    /// Whether this run alone met the threshold.
    public let holds: Bool
    /// The number that the threshold was held against; nil without a sample.
    @OrNull public private(set) var observed: Double?
    /// What that number counts, as a summary writes it; nil without a sample.
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

    /// What kind of number a quotient is.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// So many of so many.
        case share
        /// A sum of any size over a count, a time or one run.
        case quantity
        /// Either holds or not, and nothing between: `count==0`.
        case step
    }

    /// What the threshold was held against; nil without a sample.
    public var quantity: Quantity? {
        guard let observed, let unit else { return nil }
        return Quantity(observed, unit)
    }

    /// What the observed number counts, as a summary writes it; nil without a sample.
    public var unitName: String? { unit?.rawValue }

    /// Whether the rest of a run, however good, would not make the threshold hold.
    ///
    /// The rest is taken to bring as many samples for its time as what has passed, all of them
    /// good; twice the limit must be exceeded even then, since loads may grow.
    /// The share is how much of the time has passed in which the threshold counts.
    public func isLost(afterShare share: Double) -> Bool {
        guard isUpperLimit, !holds, whole > 0, share > 0 else { return false }
        if kind == .step { return limit == 0 && part > 0 }
        return part > 2 * limit * (isGrowing ? whole / share : whole)
    }
}

extension Threshold {
    /// What a metric's value says about the threshold.
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

    /// How many values are on the wrong side of a percentile's limit.
    ///
    /// They are told apart as ``Histogram/value(atPercentile:)`` would name them, so the quotient
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
