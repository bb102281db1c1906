/// The metrics that a run can measure: what thresholds may name, and what help and schemas list.
///
/// ```swift
/// let catalogue = MetricCatalogue([.steps, .hangs]).adding([.napsTaken])
/// ```
public struct MetricCatalogue: Hashable, Sendable {
    /// The metrics, in the order of their names.
    public let metrics: [Metric]

    /// A catalogue of those metrics.
    ///
    /// - Precondition: no two of them have the same name.
    public init(_ metrics: [Metric]) {
        self.metrics = metrics.sorted()
        for (one, other) in zip(self.metrics, self.metrics.dropFirst()) {
            precondition(one != other, "two metrics are called \(one.name)")
        }
    }

    /// The catalogue with further metrics.
    public func adding(_ further: [Metric]) -> MetricCatalogue {
        MetricCatalogue(metrics + further)
    }

    /// What the metrics are called, in order.
    public var names: [String] { metrics.map(\.name) }

    /// The metric of that name, if there is one.
    public func metric(named name: String) -> Metric? { metrics.first { $0.name == name } }
}
