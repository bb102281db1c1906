public import SquallFormat

/// How to write thresholds, generated from the code that reads them.
public enum ThresholdGuide {
    /// Paragraphs, each with lines of a term and its meaning.
    public static let parts: Guide = [
        (
            "A threshold limits a metric, with tags that select some of its series:"
                + " \"step_duration{step:main}\": [\"p(95)<3s\"]. A profile has its thresholds in"
                + " \"thresholds\"; --threshold 'hangs: count==0' adds one.", []
        ),
        (
            "Aggregates by the type of the metric, each with an example of a limit:", aggregates
        ),
        (
            "The comparisons are "
                + Threshold.Comparison.allCases.map(\.rawValue).joined(separator: " ")
                + ". Optional parts after the limit, in this order:",
            [
                ("after <duration>", "Values from before this time do not count."),
                ("until <duration>", "Values from this time on do not count."),
                ("abort", "The run stops as soon as the threshold fails."),
            ]
        ),
        (
            "A count without events is 0. Any other threshold without a sample fails, because"
                + " nothing was measured.", []
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
        ("rate", "For a counter it is per second of virtual time. A share above 1 is refused."),
        (
            "value",
            "For a ratio, which k6 does not have. For a gauge it is the last value, as in k6."
        ),
        (
            "units",
            "Durations may have a unit. A number without a unit means milliseconds, as in k6."
        ),
        (
            "refused",
            "A limit in a unit that does not fit the metric, and an unknown tag, app or journey."
        ),
        (
            "after, until, abort",
            "Part of the expression, instead of abortOnFail and delayAbortEval."
        ),
        ("no samples", "The threshold fails; in k6 it passes."),
    ]
}
