/// Something a run measures.
///
/// A metric is declared where it is measured and named by that declaration only; a
/// ``MetricCatalogue`` is the list of those that thresholds may name.
///
/// ```swift
/// extension Metric {
///     static let napsTaken = Metric(
///         "naps_taken", .counter, .count, [.app], "Naps that users took.")
/// }
/// ```
public struct Metric: Sendable {
    /// How profiles and results call it.
    public let name: String
    /// How its values add up.
    public let kind: Kind
    /// What its values are counted in.
    public let unit: Unit
    /// The tags its series carry, in the order of their names.
    public let tagKeys: [TagKey]
    /// One sentence that says what is counted, and when.
    public let summary: String
    /// Every value that a tag can have, of those tags for which that is known of all runs.
    public let values: [TagKey: [String]]

    /// A metric of that name, which no other metric may have.
    ///
    /// - Precondition: a gauge has no tags.
    public init(
        _ name: String, _ kind: Kind, _ unit: Unit, _ tagKeys: [TagKey], _ summary: String,
        values: [TagKey: [String]] = [:]
    ) {
        precondition(kind != .gauge || tagKeys.isEmpty, "the gauge \(name) has tags")
        self.name = name
        self.kind = kind
        self.unit = unit
        self.tagKeys = tagKeys.sorted { $0.rawValue < $1.rawValue }
        self.summary = summary
        self.values = values
    }

    /// How values of a metric add up.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// A sum that only grows.
        case counter
        /// The share of samples that were true.
        case rate
        /// A distribution.
        case trend
        /// A sum over a sum, as in "refreshes for each expired step".
        case ratio
        /// A level that rises and falls; it has no tags, since levels of parts have no common peak.
        case gauge
    }

    /// What a metric's values are counted in.
    public enum Unit: String, CaseIterable, Codable, Sendable {
        /// Whole things.
        case count
        /// Whole nanoseconds of virtual time.
        case nanoseconds = "ns"
        /// A quotient without unit.
        case ratio
    }
}

extension Metric: Hashable, Comparable {
    /// Whether both are of the same name.
    public static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

    /// Whether the left metric's name comes first, as in every output.
    public static func < (left: Metric, right: Metric) -> Bool { left.name < right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
