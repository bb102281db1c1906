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
    public fileprivate(set) var kind = Kind.quantity
    /// The numerator.
    public fileprivate(set) var part: Double
    /// The denominator; 0 when the threshold was not tested.
    public fileprivate(set) var whole: Double
    /// The limit of the quotient, from above or below.
    public fileprivate(set) var limit: Double
    /// Whether the limit is an upper one.
    public fileprivate(set) var isUpperLimit: Bool
    /// Whether the denominator still grows with the time of the run.
    public fileprivate(set) var isGrowing = false
    /// Whether this run alone met the threshold.
    public let holds: Bool
    /// The number compared with the threshold; nil without a sample.
    @OrNull public private(set) var observed: Double?
    /// The unit of that number, as a summary writes it; nil without a sample.
    @OrNull public private(set) var unit: Quantity.Unit?

    /// The evidence of a run, as a number over one run.
    fileprivate init(_ threshold: Threshold, _ result: ThresholdResult) {
        self.threshold = "\(threshold.selection): \(threshold.expression)"
        part = result.observed?.magnitude ?? 0
        whole = result.observed == nil ? 0 : 1
        limit = threshold.limit.magnitude
        isUpperLimit = ![.above, .atLeast].contains(threshold.comparison)
        holds = result.ok
        observed = result.observed?.magnitude
        unit = result.observed?.unit
    }

    /// Makes it a sum divided by a sum, both of which still grow.
    fileprivate mutating func divide(_ part: Double, by whole: Double) {
        (self.part, self.whole, isGrowing) = (part, whole, true)
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
        var evidence = ThresholdEvidence(self, judge(value, overNanoseconds: duration))
        switch (value, aggregate) {
        case (.trend(let histogram)?, .average):
            evidence.divide(Double(histogram.sum), by: Double(histogram.count))
        case (.trend(let histogram)?, .percentile(let percentile)):
            count(histogram, beyond: percentile, in: &evidence)
        case (.trend(let histogram)?, .median): count(histogram, beyond: 50, in: &evidence)
        case (.rate(let ratio)?, _), (.ratio(let ratio)?, _):
            evidence.divide(Double(ratio.part), by: Double(ratio.whole))
            if selection.metric.kind == .rate { evidence.kind = .share }
        case (.counter(let count)?, .rate):
            evidence.divide(Double(count.underLoad), by: Double(duration) / 1e9)
        default: break
        }
        if [.equal, .identical, .unequal].contains(comparison) || evidence.limit <= 0 {
            evidence.kind = .step
        }
        return evidence
    }

    /// Counts the values on the wrong side of a percentile's limit.
    ///
    /// Values are classified as ``Histogram/value(atPercentile:)`` reports them, so the quotient
    /// exceeds its limit exactly when the percentile does.
    private func count(
        _ histogram: Histogram, beyond percentile: Double, in evidence: inout ThresholdEvidence
    ) {
        var count: Int64 = 0
        for bucket in histogram.buckets {
            let value = Double(min(bucket.highest, histogram.maximum))
            if !comparison.holds(value, limit.magnitude) { count += bucket.count }
        }
        evidence.divide(Double(count), by: Double(histogram.count))
        evidence.limit = (evidence.isUpperLimit ? 100 - percentile : percentile) / 100
        (evidence.isUpperLimit, evidence.kind) = (true, .share)
    }
}
