import SquallFormat

/// A column of `timeseries.csv`.
///
/// It is declared once; code that counts it and panels that show it name it by that
/// declaration.
///
/// ```swift
/// extension TimelineColumn {
///     static let napsTaken = TimelineColumn("naps_taken", .sum, "Naps that users took.")
/// }
/// ```
public struct TimelineColumn: Sendable {
    /// Its heading.
    public let name: String
    /// How samples of one interval combine.
    public let kind: Kind
    /// One sentence about what is counted.
    public let meaning: String
    /// A number that stands for the name, so that finding a column compares no texts.
    let code: UInt64

    /// Makes a column; no other column may have its name.
    public init(_ name: String, _ kind: Kind, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.meaning = meaning
        code = StableHash(of: name.utf8).value
    }

    /// A column that counts a counter's events, with the metric's name and definition.
    init(counting metric: Metric) { self.init(metric.name, .sum, metric.summary) }

    /// How samples of one interval combine, and what an interval without samples shows.
    public enum Kind: Sendable {
        /// They add up; 0 without samples.
        case sum
        /// The last one counts, and stays until the next.
        case level
        /// The largest counts; 0 without samples.
        case peak
    }
}

extension TimelineColumn: Hashable {
    /// Whether both have the same name.
    public static func == (left: TimelineColumn, right: TimelineColumn) -> Bool {
        left.code == right.code
    }

    /// Hashes the number that stands for the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
