import SquallFormat

/// An expectation that a run must meet, in k6's grammar: `p(95)<300ms` of `step_duration`.
///
/// ```swift
/// let threshold = try Threshold(metric: "step_duration{step:episode}", expression: "p(95)<300ms")
/// threshold.judge(metrics, overNanoseconds: duration).ok
/// ```
///
/// The metric selects all series that carry the tags in braces. Durations carry units; a bare
/// number for a duration means milliseconds, as in k6. An expectation may be about a part of the
/// run, and may end the run when it fails: `rate<1% after 2m until 5m abort`.
public struct Threshold: Hashable, Sendable {
    /// The series that are judged.
    public let selection: MetricKey
    /// The expectation as it was written.
    public let expression: String
    /// The number that is judged.
    public let aggregate: Aggregate
    /// How the number must compare to the limit.
    public let comparison: Comparison
    /// The number's limit.
    public let limit: Quantity
    /// When the judged part begins; nil for the beginning of the measured time.
    public let afterNanoseconds: Int64?
    /// When the judged part ends; nil for the end.
    public let untilNanoseconds: Int64?
    /// Whether the run ends as soon as the expectation fails.
    public let abortsRun: Bool

    /// Reads a threshold and checks it against the catalogue of metrics.
    ///
    /// - Throws: where the text is wrong, and what would be right there.
    public init(
        metric: String, expression: String, among catalogue: MetricCatalogue
    ) throws(ThresholdError) {
        selection = try MetricKey(parsing: metric, among: catalogue)
        self.expression = expression
        var cursor = Cursor(expression)
        aggregate = try cursor.aggregate(of: selection.metric)
        comparison = try cursor.comparison()
        limit = try cursor.limit(of: selection.metric, aggregate)
        let conditions = try cursor.conditions(of: selection.metric)
        afterNanoseconds = conditions.after
        untilNanoseconds = conditions.until
        abortsRun = conditions.abortsRun
    }

    /// A number that is computed from a metric.
    public enum Aggregate: Hashable, Sendable {
        case average
        case count
        case maximum
        case median
        case minimum
        case percentile(Double)
        /// Share of samples that were true; for a counter, the rate per virtual second.
        case rate
        /// The quotient of a ratio, the last level of a gauge.
        case value
    }

    /// How a number is compared with its limit.
    public enum Comparison: String, CaseIterable, Sendable {
        // Longer ones first, so that the first that matches is the right one.
        case identical = "==="
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case unequal = "!="
        case below = "<"
        case above = ">"

        /// Whether the number compares to the limit in this way.
        func holds(_ number: Double, _ limit: Double) -> Bool {
            switch self {
            case .atMost: number <= limit
            case .atLeast: number >= limit
            case .equal, .identical: number == limit
            case .unequal: number != limit
            case .below: number < limit
            case .above: number > limit
            }
        }
    }
}

extension Threshold.Aggregate {
    /// The aggregates of a kind of metric, as thresholds write them.
    static func names(for kind: Metric.Kind) -> [String] {
        switch kind {
        case .counter: ["count", "rate"]
        case .rate: ["rate"]
        case .trend: ["avg", "count", "max", "med", "min", "p(N)"]
        case .ratio: ["value"]
        case .gauge: ["max", "min", "value"]
        }
    }

    /// The aggregate as thresholds write it.
    public var name: String {
        switch self {
        case .average: "avg"
        case .count: "count"
        case .maximum: "max"
        case .median: "med"
        case .minimum: "min"
        case .percentile(let percentile): "p(\(Units.digits(percentile, significant: 6)))"
        case .rate: "rate"
        case .value: "value"
        }
    }

    /// The aggregate with the name; percentiles carry a number and are read elsewhere.
    init?(name: Substring) {
        let plain: [Threshold.Aggregate] = [
            .average, .count, .maximum, .median, .minimum, .rate, .value,
        ]
        guard let aggregate = plain.first(where: { $0.name == name }) else { return nil }
        self = aggregate
    }
}
