import SquallFormat
import SquallLab
import SquallReport

extension HelpTopic {
    /// Every metric of a run with its unit and its tags.
    static let metrics = HelpTopic(
        name: "metrics", text: { _ in metricsText },
        names: { _ in MetricCatalogue.installed.metrics.map(\.name) })

    private static var metricsText: String {
        let intro =
            "What a run measures. Each metric has a total and a series for each set of its tags;"
            + " thresholds select series by them. Durations are in virtual time."
        let lines = MetricCatalogue.installed.metrics.flatMap { metric in
            let tags = metric.tagKeys.map { tag in
                tag.rawValue + (metric.values[tag].map { " (\($0.joined(separator: ", ")))" } ?? "")
            }.joined(separator: ", ")
            let facts = "\(metric.kind.rawValue), \(metric.unitWords)"
            return ["", "\(metric.name) · \(facts)"]
                + Prose.lines(metric.summary, first: "  ", rest: "  ")
                + (tags.isEmpty ? [] : Prose.lines("tags: \(tags)", first: "  ", rest: "  "))
        }
        return (Prose.lines(intro) + lines).lines
    }

    /// How expectations are written.
    static let thresholds = HelpTopic(name: "thresholds") { _ in
        let parts = ThresholdGuide.parts.map { text, terms in
            Prose.lines(text) + definitions(terms)
        }
        return parts.joined(separator: [""]).lines
    }
}

extension Metric {
    /// The unit of its values, in words.
    fileprivate var unitWords: String {
        switch kind.unit {
        case .count: "whole things"
        case .nanoseconds: "time"
        case .ratio: "a quotient"
        }
    }
}
