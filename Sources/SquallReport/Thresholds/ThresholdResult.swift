public import SquallFormat

/// The result of judging a threshold.
public struct ThresholdResult: Codable, Sendable {
    /// Its metric and tags.
    public let metric: String
    /// The expectation as it was written.
    let expression: String
    /// True if the threshold held.
    public let ok: Bool
    /// The distance inside the limit, as a share of it; negative beyond it.
    ///
    /// `nil` where it is not defined: without samples, for `==` and `!=`, for a limit of 0.
    @OrNull private(set) var headroom: Double?
    /// True if it ended the run.
    public let abortedRun: Bool
    /// The bare number that was observed.
    @OrNull private var number: Double?
    @OrNull private var unit: NumberUnit?

    private enum CodingKeys: String, CodingKey {
        case metric, expression, ok, headroom, abortedRun, unit
        case number = "observed"
    }

    init(
        metric: String, expression: String, ok: Bool, observed: Quantity?, headroom: Double?,
        abortedRun: Bool
    ) {
        self.metric = metric
        self.expression = expression
        self.ok = ok
        self.headroom = headroom
        self.abortedRun = abortedRun
        number = observed?.magnitude
        unit = observed?.unit
    }

    /// The observed value; `nil` without a sample.
    public var observed: Quantity? {
        guard let number, let unit else { return nil }
        return Quantity(number, unit)
    }
}

extension Threshold {
    /// Judges the threshold by the measurements.
    ///
    /// A count without samples is zero. Anything else without samples does **not** hold: the
    /// expectation was not tested.
    public func judge(_ metrics: Metrics, overNanoseconds duration: Int64) -> ThresholdResult {
        judge(metrics.value(of: selection), overNanoseconds: duration)
    }

    /// Judges the threshold by the value of its metric in the part of the run that it is about.
    public func judge(
        _ value: MetricValue?, overNanoseconds duration: Int64, abortedRun: Bool = false
    ) -> ThresholdResult {
        let observed = observe(value, overNanoseconds: duration)
        return ThresholdResult(
            metric: selection.description, expression: expression,
            ok: observed.map { comparison.holds($0.magnitude, limit.magnitude) } ?? false,
            observed: observed, headroom: observed.flatMap(headroom), abortedRun: abortedRun)
    }

    private func observe(_ value: MetricValue?, overNanoseconds duration: Int64) -> Quantity? {
        switch value {
        case .trend(let histogram): observe(histogram)
        case .rate(let ratio): ratio.quotient.map(Quantity.share)
        case .ratio(let ratio): ratio.quotient.map(Quantity.number)
        case .gauge(let gauge): observe(gauge)
        case .counter(let count): observe(count, overNanoseconds: duration)
        case nil:
            selection.metric.kind == .counter || aggregate == .count
                ? observe(EventCount(all: 0, underLoad: 0), overNanoseconds: duration) : nil
        }
    }

    private func observe(_ count: EventCount, overNanoseconds duration: Int64) -> Quantity? {
        guard aggregate == .rate else { return .count(count.all) }
        return count.rate(overNanoseconds: duration).map(Quantity.perSecond)
    }

    private func observe(_ gauge: Gauge) -> Quantity? {
        guard let level = gauge.level else { return nil }
        switch aggregate {
        case .maximum: return .count(gauge.highest)
        case .minimum: return .count(gauge.lowest)
        default: return .count(level)
        }
    }

    private func observe(_ histogram: Histogram) -> Quantity? {
        if aggregate == .count { return .count(histogram.count) }
        guard histogram.count > 0 else { return nil }
        switch aggregate {
        case .average: return .nanoseconds(Int64(histogram.mean.rounded()))
        case .maximum: return .nanoseconds(histogram.maximum)
        case .minimum: return .nanoseconds(histogram.minimum)
        case .percentile(let percentile):
            return .nanoseconds(histogram.value(atPercentile: percentile))
        default: return .nanoseconds(histogram.value(atPercentile: 50))
        }
    }

    private func headroom(of observed: Quantity) -> Double? {
        guard limit.magnitude != 0 else { return nil }
        let room = (limit.magnitude - observed.magnitude) / limit.magnitude.magnitude
        switch comparison {
        case .below, .atMost: return room
        case .above, .atLeast: return -room
        case .equal, .identical, .unequal: return nil
        }
    }
}

/// A run's evidence about a threshold, as a sum divided by a sum, so that runs can be added up.
///
/// `p(95)<2s` says that at most 5 % of the values reach 2 s: the part counts those that do, the
/// whole counts all, and the limit is 0.05. `avg<2s` is a sum of durations over their number, and
/// a count is itself over one run. The sums of several runs are added before they are divided, so
/// quotients are never averaged.
public struct ThresholdEvidence: Codable, Hashable, Sendable {
    /// The metric and its expectation, as `--threshold` takes it.
    public let threshold: String
    /// The kind of the quotient.
    public fileprivate(set) var kind = Kind.quantity
    /// The numerator.
    public fileprivate(set) var part: Double
    /// The denominator; 0 when the threshold was not tested.
    public fileprivate(set) var whole: Double
    /// The limit of the quotient, from above or below.
    public fileprivate(set) var limit: Double
    /// True for an upper limit.
    public fileprivate(set) var isUpperLimit: Bool
    /// True while the denominator still grows with the time of the run.
    public fileprivate(set) var isGrowing = false
    /// True if this run alone met the threshold.
    public let holds: Bool
    /// The number compared with the threshold; nil without a sample.
    @OrNull public private(set) var observed: Double?
    /// The unit of that number, as a summary writes it; nil without a sample.
    @OrNull public private(set) var unit: NumberUnit?

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

    /// True if the threshold fails even with the best possible rest of the run.
    ///
    /// The rest is assumed to bring as many samples per time as before, all of them good; even then
    /// the value must exceed twice the limit, since the load may grow. `share` is the part of the
    /// judged time that has passed.
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
