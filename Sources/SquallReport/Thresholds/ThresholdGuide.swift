public import SquallFormat

/// How to write thresholds, generated from the code that reads them.
public enum ThresholdGuide {
    /// Paragraphs, each with lines of a term and its meaning.
    public static let parts: Guide = [
        (
            "A threshold is a metric, with tags that select some of its series, and what must hold"
                + " of it: \"step_duration{step:main}\": [\"p(95)<3s\"]. In a profile they stand in"
                + " \"thresholds\"; --threshold 'hangs: count==0' adds one.", []
        ),
        ("By the type of the metric, these can be compared with a limit:", aggregates),
        (
            "The comparisons are "
                + Threshold.Comparison.allCases.map(\.rawValue).joined(separator: " ")
                + ". After the limit may follow, in this order:",
            [
                ("after <duration>", "What was measured before that moment does not count."),
                ("until <duration>", "What is measured from that moment on does not count."),
                ("abort", "The run ends as soon as it does not hold."),
            ]
        ),
        (
            "A count without events is 0. Any other threshold without a sample does not hold,"
                + " since it was not tested.", []
        ),
        ("The grammar is that of k6, except for:", differences),
    ]

    private static var aggregates: [(String, String)] {
        Metric.Kind.allCases.map { kind in
            let names = Threshold.Aggregate.names(for: kind)
            let examples = names.map { name in
                let aggregate = Threshold.Aggregate(name: name[...]) ?? .percentile(95)
                let metric = Metric("any", kind, [], "")
                return "\(name) (\(Quantity.Unit(metric, aggregate).writing.example))"
            }
            return (kind.rawValue, examples.joined(separator: ", "))
        }
    }

    private static let differences = [
        ("rate", "Of a counter it is per virtual second; a share above 1 is refused."),
        ("value", "Of a ratio, which k6 has not; of a gauge it is the last level, as there."),
        ("units", "Durations may carry one. A bare number means milliseconds, as in k6."),
        ("refused", "A limit in another unit than the metric's, an unknown tag, app or journey."),
        ("after, until, abort", "In the expression, in place of abortOnFail and delayAbortEval."),
        ("no samples", "Does not hold; in k6 it does."),
    ]
}
