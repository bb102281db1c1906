/// The tags that divide a metric's samples into series; the cases are sorted by name.
public enum TagKey: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
    case app
    case cause
    case depth
    case design
    case endpoint
    case journey
    case paging
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

    /// Whether this key selects the series: the same metric, and every tag of the key agrees.
    func selects(_ series: MetricKey) -> Bool {
        metric == series.metric && tags.allSatisfy(series.tags.contains)
    }
}

extension MetricKey: Comparable {
    /// Whether the left key comes first in every output: by metric, then tag by tag.
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
