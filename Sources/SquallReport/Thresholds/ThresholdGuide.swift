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
                return "\(name) (\(NumberUnit(metric, aggregate).writing.example))"
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

extension String {
    /// The threshold beside an observed value: a share is in per cent, as in `step_failed:
    /// rate<5%`, which is the same threshold.
    public var thresholdShown: String {
        guard let parts = thresholdParts, parts.isShare, let share = Double(parts.limit) else {
            return self
        }
        let limit = Units.digits(share * 100, significant: 6) + "%"
        return String(dropLast(parts.limit.count + parts.rest.count)) + limit + parts.rest
    }

    /// The text in place of a value where nothing was measured.
    public static let noSamples = "no samples"

    /// The threshold as it is shown, with a note where nothing was measured.
    public func thresholdShown(isMeasured: Bool) -> String {
        isMeasured ? thresholdShown : "\(thresholdShown) (\(String.noSamples))"
    }

    /// The breach of a threshold of `--threshold`, in words: `the p95 step duration is 2s or more`.
    public var whenBroken: String {
        guard let parts = thresholdParts else { return self }
        let (name, limit, rest) = (parts.name, parts.limitWords, parts.rest)
        return switch parts.sign {
        case "<": "\(name) is \(limit) or more\(rest)"
        case "<=": "\(name) is above \(limit)\(rest)"
        case ">": "\(name) is \(limit) or less\(rest)"
        case ">=": "\(name) is below \(limit)\(rest)"
        case "!=": "\(name) is \(limit)\(rest)"
        default: "\(name) is not \(limit)\(rest)"
        }
    }

    /// The breach with the observed value: `the p95 step duration is 31.5s (limit 2s)`.
    func whenBroken(observed: String) -> String {
        guard let parts = thresholdParts else { return self }
        return "\(parts.name) is \(observed) (limit \(parts.limitWords)\(parts.rest))"
    }

    /// The breach of a threshold that fails because nothing was measured.
    public var withoutSamples: String {
        guard let parts = thresholdParts else { return self }
        return "\(parts.name) has \(String.noSamples) (limit \(parts.limitWords)\(parts.rest))"
    }

    /// The parts of a threshold; nil for another text.
    private var thresholdParts: ThresholdParts? {
        let signs = ["===", "==", "!=", "<=", ">=", "<", ">"]
        guard let colon = lastIndex(of: ":") else { return nil }
        let expression = self[index(after: colon)...].drop { $0 == " " }
        guard let sign = signs.first(where: { expression.contains($0) }),
            let place = expression.firstRange(of: sign)
        else { return nil }
        let aggregate = String(expression[..<place.lowerBound].filter { $0 != " " })
        let limit = expression[place.upperBound...].drop { $0 == " " }
        let metric = String(self[..<colon])
        let number = limit.prefix { $0 != " " }
        return ThresholdParts(
            name: MetricWords.words(of: metric, aggregate), sign: sign, limit: String(number),
            rest: String(limit.dropFirst(number.count)),
            isShare: aggregate == "rate" && MetricWords.isShare(metric))
    }
}

/// A threshold's text, taken apart.
private struct ThresholdParts {
    /// The noun of the limited figure.
    let name: String
    let sign: String
    /// The limit as it was written, and what follows it: the part of the run.
    let limit: String
    let rest: String
    let isShare: Bool

    /// The limit in the unit and form of the observed value.
    var limitWords: String {
        if let number = Double(limit) {
            return isShare ? Units.percent(number) : Units.threeDigits(number)
        }
        if limit.hasSuffix("%"), let number = Double(limit.dropLast()) {
            return Units.percent(number / 100)
        }
        guard let span = try? Units.nanoseconds(limit), span < 60 * Span.second else {
            return limit
        }
        return Units.approximate(nanoseconds: span)
    }
}

extension ThresholdResult {
    /// The expectation beside an observed value.
    public var expressionShown: String {
        String("\(metric): \(expression)".thresholdShown.dropFirst(metric.count + 2))
    }

    /// The breach with the observed value, in words.
    public var whenBroken: String {
        let threshold = "\(metric): \(expression)"
        return observed.map { threshold.whenBroken(observed: $0.description) }
            ?? threshold.withoutSamples
    }
}
