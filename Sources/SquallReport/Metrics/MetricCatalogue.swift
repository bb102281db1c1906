import SquallFormat

/// The metrics of runs: thresholds may name them, and help and schemas list them.
///
/// ```swift
/// let catalogue = MetricCatalogue([.steps, .hangs]).adding([.napsTaken])
/// ```
public struct MetricCatalogue: Hashable, Sendable {
    /// The metrics, sorted by name.
    public let metrics: [Metric]

    /// A catalogue of the given metrics.
    ///
    /// - Precondition: no two of them have the same name.
    public init(_ metrics: [Metric]) {
        self.metrics = metrics.ordered(by: <)
        for (one, other) in zip(self.metrics, self.metrics.dropFirst()) {
            precondition(one != other, "two metrics are called \(one.name)")
        }
    }

    /// The catalogue with further metrics.
    public func adding(_ further: [Metric]) -> MetricCatalogue {
        MetricCatalogue(metrics + further)
    }

    /// The names of the metrics, in order.
    public var names: [String] { metrics.map(\.name) }

    /// The metric with the name, if there is one.
    public func metric(named name: String) -> Metric? { metrics.first { $0.name == name } }
}
