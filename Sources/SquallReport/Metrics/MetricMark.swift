/// The counts of a run at a moment, by metric.
///
/// The difference of two marks is what happened between them; batches are such differences.
public struct MetricMark: Sendable {
    /// The moment, since the run's beginning.
    public let nanoseconds: Int64
    /// The totals of metrics that can be added up, and the values of the selections.
    public let values: [MetricKey: MetricValue]

    /// Marks a moment: the total of each metric, and the given selections.
    public init(
        at nanoseconds: Int64, of metrics: Metrics, selecting selections: [MetricKey] = []
    ) {
        self.nanoseconds = nanoseconds
        let totals = Set(metrics.keys.map { MetricKey($0.metric) })
        let keys = totals.union(selections).filter { $0.metric.kind != .gauge }
        values = keys.reduce(into: [:]) { $0[$1] = metrics.value(of: $1) }
    }

    private init(at nanoseconds: Int64, _ values: [MetricKey: MetricValue]) {
        self.nanoseconds = nanoseconds
        self.values = values
    }

    /// What happened since an earlier mark; also, a whole without a part of it.
    public func since(_ earlier: MetricMark?) -> MetricMark {
        guard let earlier else { return self }
        let rest = values.map { ($0.key, $0.value.since(earlier.values[$0.key])) }
        return MetricMark(at: nanoseconds, Dictionary(uniqueKeysWithValues: rest))
    }
}
