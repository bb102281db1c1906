import SquallFormat

/// A column of `timeseries.csv`.
///
/// It is declared once, and named by that declaration where it is counted and where a panel shows
/// it.
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
    /// One sentence that says what is counted.
    public let meaning: String
    /// Stands for the name, so that finding a column costs no comparison of texts.
    let code: UInt64

    /// A column of that name, which no other column may have.
    public init(_ name: String, _ kind: Kind, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.meaning = meaning
        code = StableHash(of: name.utf8).value
    }

    /// A column of what a counter counts, by when that happens: with its name and definition.
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
    /// Whether both are of the same name.
    public static func == (left: TimelineColumn, right: TimelineColumn) -> Bool {
        left.code == right.code
    }

    /// Hashes what stands for the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
