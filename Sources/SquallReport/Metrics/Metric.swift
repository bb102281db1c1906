import SquallFormat

/// A quantity that runs measure.
///
/// A metric is declared where it is measured, and code names it by that declaration only; a
/// ``MetricCatalogue`` lists those that thresholds may name.
///
/// ```swift
/// extension Metric {
///     static let napsTaken = Metric(
///         "naps_taken", .counter, [.app], "Naps that users took.")
/// }
/// ```
public struct Metric: Sendable {
    /// Its name in profiles and results.
    public let name: String
    /// How its values are combined.
    public let kind: Kind
    /// The tags its series carry, in the order of their names.
    public let tagKeys: [TagKey]
    /// One sentence about what is counted, and when.
    let summary: String
    /// All possible values of tags, for those tags where they are known.
    public let values: [TagKey: [String]]

    /// Makes a metric; no other metric may have its name.
    ///
    /// - Precondition: a gauge has no tags.
    public init(
        _ name: String, _ kind: Kind, _ tagKeys: [TagKey], _ summary: String,
        values: [TagKey: [String]] = [:]
    ) {
        precondition(kind != .gauge || tagKeys.isEmpty, "the gauge \(name) has tags")
        self.name = name
        self.kind = kind
        self.tagKeys = tagKeys.ordered { $0.rawValue < $1.rawValue }
        self.summary = summary
        self.values = values
    }

    /// How the values of a metric are combined.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A sum that only grows.
        case counter
        /// The share of samples that were true.
        case rate
        /// A distribution.
        case trend
        /// A sum divided by a sum, such as refreshes per expired step.
        case ratio
        /// A level that rises and falls; it has no tags, since levels of parts have no common peak.
        case gauge

        /// The unit of such values in `summary.json`.
        var unit: String {
            switch self {
            case .counter, .gauge: "count"
            case .rate, .ratio: "ratio"
            case .trend: NumberUnit.nanoseconds.rawValue
            }
        }
    }
}

extension Metric: Hashable, Comparable {
    /// True for metrics of the same name.
    public static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

    /// True if the left metric's name comes first, as in every output.
    public static func < (left: Metric, right: Metric) -> Bool { left.name < right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// The tags that divide a metric's samples into series; the cases are sorted by name.
public enum TagKey: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case app
    case cause
    case depth
    case design
    case endpoint
    case journey
    case paging
    case part
    case population
    case status
    case step
}

/// A metric with tags, which name one series or select several.
///
/// Written as in a threshold: `step_duration{journey:read,step:episode}`. Build it once for each
/// series and keep its slot in ``Metrics``; the text is for output only.
public struct MetricKey: Hashable, Sendable {
    /// The metric.
    public let metric: Metric
    /// Tags and their values, ordered by tag.
    public let tags: [Tag]

    /// One tag with its value.
    public struct Tag: Hashable, Sendable {
        /// The kind of tag.
        public let key: TagKey
        /// Its value.
        public let value: String
    }

    /// A key with the given tags, in any order.
    ///
    /// - Precondition: the metric has each of the tags, and the values are possible.
    public init(_ metric: Metric, _ tags: [TagKey: String] = [:]) {
        let known = metric.tagKeys
        let strays = tags.keys.filter { !known.contains($0) }.map(\.rawValue).sorted()
        precondition(strays.isEmpty, "\(metric.name) has no tags \(strays)")
        for (tag, values) in metric.values {
            precondition(
                tags[tag].map(values.contains) ?? true,
                "\(tag.rawValue) of \(metric.name) is never \(tags[tag] ?? "")")
        }
        self.metric = metric
        self.tags = known.compactMap { key in tags[key].map { Tag(key: key, value: $0) } }
    }

    /// A tag's value; nil where the key does not have it.
    public subscript(key: TagKey) -> String? { tags.first { $0.key == key }?.value }

    /// True if this key selects the series: the same metric, and every tag of the key agrees.
    func selects(_ series: MetricKey) -> Bool {
        metric == series.metric && tags.allSatisfy(series.tags.contains)
    }
}

extension MetricKey: Comparable {
    /// True if the left key comes first in every output: by metric, then tag by tag.
    public static func < (left: MetricKey, right: MetricKey) -> Bool {
        guard left.metric == right.metric else { return left.metric < right.metric }
        return left.tags.lexicographicallyPrecedes(right.tags) { one, other in
            (one.key.rawValue, one.value) < (other.key.rawValue, other.value)
        }
    }
}

extension MetricKey: CustomStringConvertible {
    /// The key as thresholds write it.
    public var description: String {
        guard !tags.isEmpty else { return metric.name }
        let list = tags.map { "\($0.key.rawValue):\($0.value)" }.joined(separator: ",")
        return "\(metric.name){\(list)}"
    }
}

/// The nouns of metrics: the only dictionary of such names.
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

    /// True if the rate of a metric is a share of its samples, and no number per second.
    static func isShare(_ metric: String) -> Bool {
        let name = metric.prefix { $0 != "{" }
        return [Metric.requestFailed, .stepFailed].contains { $0.name == name }
    }

    /// The nouns that are not the name in words.
    private static let nouns = [
        "attempts_wasted": "wasted attempts",
        "connection_wait": "wait for a connection",
        "connections_ended": "connections that ended under way",
        "connections_reused": "uses of an open connection",
        "connections_setting_up": "connections being set up",
        "database_wait": "wait for the database",
        "expired_repaired": "expired responses repaired",
        "hidden_screen_calls": "calls of hidden screens",
        "items": "items of lists",
        "items_missed": "items of lists that readers missed",
        "items_per_second": "items per second of a reader",
        "items_repeated": "items of lists that were shown twice",
        "journey_goals": "journeys that reached their goal",
        "journey_delay": "delay of a journey",
        "launch_duration": "time to the first screen",
        "logical_requests": "calls",
        "page_duration": "time of a page",
        "pages": "pages of lists",
        "payments": "visits to the payment page",
        "picture_wait": "wait for a picture",
        "refresh_loops": "calls in refresh loops",
        "refresh_wait": "wait for a refresh",
        "refreshes_redundant": "redundant refreshes",
        "refreshes_unprompted": "refreshes without an expiry",
        "request_failed": "failed attempts",
        "request_part": "part of a request's time",
        "requests_done_twice": "requests done twice",
        "requests_lost": "requests lost with their connection",
        "requests_repeated": "requests repeated by the client's network",
        "requests": "attempts",
        "server_queue": "requests waiting for a worker",
        "server_wait": "wait for a worker",
        "sessions_lost": "unexpected sign-outs",
        "step_failed": "failed steps",
        "steps": "steps that ended",
        "steps_idle": "steps with nothing to do",
        "users_active": "users in a session",
        "workers_busy": "busy workers",
    ]

    /// The plural nouns for the values of distributions.
    private static let plural = [
        "connection_wait": "waits for a connection", "database_wait": "waits for the database",
        "journey_delay": "delays of journeys", "launch_duration": "times to the first screen",
        "request_part": "parts of requests' times", "page_duration": "pages of long lists",
        "picture_wait": "waits for a picture", "refresh_wait": "waits for a refresh",
        "request_duration": "request durations", "server_wait": "waits for a worker",
        "step_duration": "step durations",
    ]
}
