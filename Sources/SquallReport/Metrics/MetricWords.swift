/// The nouns for what runs measure: the only dictionary of such names.
///
/// A metric's declaration has its definition and unit; this type has the noun for it in sentences,
/// headings and help. Columns of `timeseries.csv` that count a metric are made from the metric. No
/// two metrics share a noun or a definition.
public enum MetricWords {
    /// The noun of a metric, by its name; without an entry, the name in words.
    static func noun(of metric: String) -> String {
        nouns[metric] ?? metric.replacing("_", with: " ")
    }

    /// A figure in words: for `step_duration` and `p(95)` it is `the p95 step duration`.
    ///
    /// The metric may have tags in braces, which are added at the end.
    public static func words(of metric: String, _ aggregate: String) -> String {
        let name = String(metric.prefix { $0 != "{" })
        let tags = metric.dropFirst(name.count).filter { !"{}".contains($0) }
        let noun = noun(of: name)
        let words =
            switch aggregate {
            case "": "the \(noun)"
            case "count", "value": "the number of \(plural[name] ?? noun)"
            case "rate":
                isShare(name)
                    ? "the share of \(noun)" : "the number of \(noun) per second"
            case "avg": "the mean \(noun)"
            case "med": "the median \(noun)"
            case "max": plural[name] == nil ? "the most \(noun)" : "the longest \(noun)"
            case "min": plural[name] == nil ? "the fewest \(noun)" : "the shortest \(noun)"
            default: "the \(aggregate.filter { !"()".contains($0) }) \(noun)"
            }
        let place =
            tags.isEmpty ? "" : " of \(tags.replacing(":", with: " ").replacing(",", with: ", "))"
        return words + place
    }

    /// Whether the rate of a metric is a share of its samples, and no number per second.
    static func isShare(_ metric: String) -> Bool {
        metric.prefix { $0 != "{" }.hasSuffix("_failed")
    }

    static let nouns = [
        "attempts_wasted": "wasted attempts",
        "audit_findings": "audit findings",
        "connection_wait": "wait for a connection",
        "database_wait": "wait for the database",
        "expired_responses": "expired responses",
        "expired_repaired": "expired responses repaired",
        "hangs": "hangs",
        "hidden_screen_calls": "calls of hidden screens",
        "items": "items of lists",
        "items_missed": "items of lists that readers missed",
        "items_per_second": "items per second of a reader",
        "items_repeated": "items of lists that were shown twice",
        "journey_goals": "journeys that reached their goal",
        "journey_delay": "delay of a journey",
        "journeys": "journeys",
        "logical_requests": "calls",
        "page_duration": "time of a page",
        "pages": "pages of lists",
        "payments": "visits to the payment page",
        "picture_wait": "wait for a picture",
        "refresh_loops": "calls in refresh loops",
        "refresh_wait": "wait for a refresh",
        "refreshes": "refreshes",
        "refreshes_per_expired_step": "refreshes per expired step",
        "refreshes_per_expiry": "refreshes per expiry",
        "refreshes_redundant": "redundant refreshes",
        "refreshes_unprompted": "refreshes without an expiry",
        "request_duration": "request duration",
        "request_failed": "failed attempts",
        "requests": "attempts",
        "retries": "retries",
        "server_queue": "requests waiting for a worker",
        "server_wait": "wait for a worker",
        "sessions_lost": "unexpected sign-outs",
        "step_duration": "step duration",
        "step_failed": "failed steps",
        "steps": "steps that ended",
        "steps_idle": "steps with nothing to do",
        "users_active": "users in a session",
        "visits": "visits",
        "workers_busy": "busy workers",
    ]

    /// The plural nouns for the values of distributions.
    private static let plural = [
        "connection_wait": "waits for a connection", "database_wait": "waits for the database",
        "journey_delay": "delays of journeys", "page_duration": "pages of long lists",
        "picture_wait": "waits for a picture", "refresh_wait": "waits for a refresh",
        "request_duration": "request durations", "server_wait": "waits for a worker",
        "step_duration": "step durations",
    ]
}
