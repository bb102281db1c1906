import SquallFormat

/// Something a run measures.
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

        /// The unit of such values.
        var unit: Unit {
            switch self {
            case .counter, .gauge: .count
            case .rate, .ratio: .ratio
            case .trend: .nanoseconds
            }
        }
    }

    /// The unit of a metric's values.
    enum Unit: String, CaseIterable, Codable, Sendable {
        /// Whole things.
        case count
        /// Whole nanoseconds of virtual time.
        case nanoseconds = "ns"
        /// A quotient without a unit.
        case ratio
    }
}

extension Metric: Hashable, Comparable {
    /// Whether both have the same name.
    public static func == (left: Metric, right: Metric) -> Bool { left.name == right.name }

    /// Whether the left metric's name comes first, as in every output.
    public static func < (left: Metric, right: Metric) -> Bool { left.name < right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
