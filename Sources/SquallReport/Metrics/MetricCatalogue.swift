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
    func adding(_ further: [Metric]) -> MetricCatalogue {
        MetricCatalogue(metrics + further)
    }

    /// The names of the metrics, in order.
    public var names: [String] { metrics.map(\.name) }

    /// Names of the release before, which thresholds still accept, with the present ones.
    public static let formerNames = [
        (former: "expired_answers", present: "expired_responses"),
        (former: "journey_deeds", present: "journey_goals"),
    ]

    /// The metric with the name, or with the former name, if there is one.
    public func metric(named name: String) -> Metric? {
        metrics.first { $0.name == name || $0.formerName == name }
    }
}

/// Its explanation on a terminal.
extension MetricCatalogue {
    /// What is measured: each metric with its unit and its tags.
    public var text: String {
        let intro =
            "What a run measures. Each metric has a total and a series for each set of its tags;"
            + " thresholds select series by them. Durations are in virtual time."
        let lines = metrics.flatMap { metric in
            let tags = metric.tagKeys.map { tag in
                tag.rawValue
                    + (metric.values[tag].map { " (\($0.joined(separator: ", ")))" } ?? "")
            }
            let texts =
                [metric.summary]
                + [metric.formerName.map { "formerly \($0), which thresholds still accept" }]
                .compactMap(\.self)
                + (tags.isEmpty ? [] : ["tags: \(tags.joined(separator: ", "))"])
            return ["", "\(metric.name) · \(metric.kind.rawValue), \(metric.unitWords)"]
                + texts.flatMap { WordWrap.lines($0, first: "  ", rest: "  ") }
        }
        return (WordWrap.lines(intro) + lines).map { $0 + "\n" }.joined()
    }
}

extension Metric {
    /// Its name in the release before, which thresholds accept in this one, too.
    fileprivate var formerName: String? {
        MetricCatalogue.formerNames.first { $0.present == name }?.former
    }

    /// The unit of its values, in words.
    fileprivate var unitWords: String {
        switch kind.unit {
        case .count: "whole numbers"
        case .nanoseconds: "time"
        case .ratio: "a quotient"
        }
    }
}
