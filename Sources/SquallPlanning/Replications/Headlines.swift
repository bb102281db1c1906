/// The numbers that people ask for first, in the order of their questions.
public enum Headlines {
    /// Each with its name, as ``Figure`` has it, and as a sentence says it.
    private static let all = [
        ("step_duration med", "the median wait for a step"),
        ("step_duration p(95)", "the p95 wait for a step"),
        ("step_duration p(99)", "the p99 wait for a step"),
        ("step_duration avg", "the mean wait for a step"),
        ("step_failed rate", "the share of failed steps"),
        ("steps rate", "the number of steps per second"),
        ("hangs count", "the number of hangs"),
        ("sessions_lost count", "the number of sign-outs"),
        ("request_duration p(95)", "the p95 of a request"),
        ("request_duration p(99)", "the p99 of a request"),
        ("request_failed rate", "the share of failed requests"),
        ("requests count", "the number of requests"),
        ("retries count", "the number of retries"),
        ("refreshes count", "the number of refreshes"),
        ("refreshes_per_expiry value", "the number of refreshes per expiry"),
        ("refreshes_redundant count", "the number of redundant refreshes"),
        ("refresh_rate max", "the peak of refreshes per second"),
        ("refresh_wait p(95)", "the p95 wait for a refresh"),
        ("journey_delay p(95)", "the p95 delay of a journey"),
        ("server_busy", "the use of the server"),
        ("server_queue max", "the longest line at the server"),
        ("recovery time", "the time to recover"),
        ("recovery ok", "the share of runs that recover"),
        ("passed", "the share of runs that pass"),
    ]

    /// Their names.
    public static let names = all.map(\.0)

    /// What a sentence calls a figure: its name where it has no better one.
    static func words(_ name: String) -> String {
        all.first { $0.0 == name }?.1 ?? name
    }

    /// Whether less of a figure is better, more is, or neither; by its name.
    public static func lessIsBetter(_ name: String) -> Bool? {
        let metric = name.prefix { $0 != " " && $0 != "{" }
        switch metric {
        case "steps", "journey_deeds", "passed", "pages", "items": return false
        case "users_active", "journeys", "logical_requests", "payments": return nil
        case "recovery": return name.hasSuffix("time") ? true : false
        default: break
        }
        let isTrend =
            metric.hasSuffix("_duration") || metric.hasSuffix("_wait")
            || metric.hasSuffix("_delay")
        return isTrend && name.hasSuffix(" count") ? nil : true
    }

    /// A short name that people use for a figure, as `p99`; nil where there is none.
    public static func fullName(of alias: String) -> String? { aliases[alias] }

    /// Short names that people use for figures.
    static let aliases = [
        "p50": "step_duration med", "median": "step_duration med",
        "p90": "step_duration p(90)", "p95": "step_duration p(95)",
        "p99": "step_duration p(99)", "p99.9": "step_duration p(99.9)",
        "mean": "step_duration avg", "failed": "step_failed rate",
        "failures": "step_failed rate", "requests": "requests count",
        "refreshes": "refreshes count", "retries": "retries count",
        "sign-outs": "sessions_lost count", "hangs": "hangs count",
        "throughput": "steps rate", "busy": "server_busy", "recovery": "recovery time",
        "refresh peak": "refresh_rate max",
    ]
}
