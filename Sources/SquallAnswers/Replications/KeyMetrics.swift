public import SquallFormat
import SquallReport

/// The numbers that people ask for first, in the order of their questions.
public enum KeyMetrics {
    /// Figures that belong to no metric, with their names in sentences.
    static let views = [
        "refresh_rate max": "the peak of refreshes per second",
        "refresh_rate avg": "the mean of refreshes per second",
        "concurrency avg": "the mean number of requests under way",
        "server_busy": "the utilisation of the server",
        "server_queue max": "the longest queue at the server",
        "recovery time": "the time to recover",
        "recovery ok": "the share of runs that recover",
        "passed": "the share of runs that meet every threshold",
        "screens_stuck count": "the number of screens that no longer respond to taps",
    ]

    /// The figures that belong to no metric, for the help.
    public static let guide: Guide = [
        (
            "Figures of a run that are no metrics and have no threshold; compare, sweep --figure,"
                + " --fail-if and trend know them:",
            views.ordered { $0.key < $1.key }.map { ($0.key, "\(title($0.key).sentenceCase).") }
        )
    ]

    /// The name in a table: `passed` alone would be read as the verdict.
    static func rowName(_ name: String) -> String {
        name == "passed" ? "runs that meet every threshold" : name
    }

    /// The names of the headline figures, as ``Figure`` has them.
    static let names = [
        "step_duration med", "step_duration p(95)", "step_duration p(99)", "step_duration avg",
        "step_failed rate", "steps rate", "hangs count", "screens_stuck count",
        "sessions_lost count",
        "request_duration p(95)", "request_duration p(99)", "request_failed rate",
        "requests count", "retries count", "refreshes count", "refreshes_per_expiry value",
        "refreshes_redundant count", "refresh_rate max", "refresh_wait p(95)",
        "journey_delay p(95)", "server_busy", "server_queue max", "recovery time", "recovery ok",
        "passed",
    ]

    /// The name of a figure in sentences: a metric with its aggregate, a view, or a capacity.
    static func words(_ name: String) -> String {
        if let words = views[name] { return words }
        if name.hasPrefix("capacity in ") { return "the \(name)" }
        let start = name.lastIndex(of: "}") ?? name.startIndex
        guard let space = name[start...].firstIndex(of: " ") else { return name }
        return MetricWords.words(
            of: String(name[..<space]), String(name[name.index(after: space)...]))
    }

    /// The name of a figure as a heading, without its article.
    static func title(_ name: String) -> String {
        let words = words(name)
        return words.hasPrefix("the ") ? String(words.dropFirst(4)) : words
    }

    /// True if less of a figure is better, false if more; `nil` for neither.
    static func lessIsBetter(_ name: String) -> Bool? { FigureMeaning(of: name)?.lessIsBetter }

    /// The full name for a short one such as `p99`; nil for an unknown one.
    public static func fullName(of alias: String) -> String? { aliases[alias] }

    /// Short names that people use for figures.
    static let aliases = Percentile.all.reduce(into: [
        "median": "step_duration med", "mean": "step_duration avg", "failed": "step_failed rate",
        "failures": "step_failed rate", "requests": "requests count",
        "refreshes": "refreshes count", "retries": "retries count",
        "sign-outs": "sessions_lost count", "hangs": "hangs count",
        "throughput": "steps rate", "busy": "server_busy", "recovery": "recovery time",
        "refresh peak": "refresh_rate max",
    ]) { $0[$1.name] = "step_duration \($1.aggregate)" }
}
