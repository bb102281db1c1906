public import SquallFormat

/// A percentile of durations that results show.
public struct Percentile: Sendable {
    /// The share of values that do not exceed it, in percent.
    public let rank: Double
    /// Its value in a summary.
    let value: any KeyPath<LatencySummary, Int64> & Sendable
    /// How much of the results has it.
    let place: Place

    /// Where results show a percentile, beside `summary.json` and the figures of comparisons.
    enum Place {
        case nowhereElse
        /// In tables of durations, in full.
        case tables
        /// In these, at a first look, and over time.
        case everywhere
    }

    private init(
        _ rank: Double, _ value: any KeyPath<LatencySummary, Int64> & Sendable, _ place: Place
    ) {
        (self.rank, self.value, self.place) = (rank, value, place)
    }

    /// Every percentile, the smallest first.
    public static let all = [
        Percentile(50, \.p50, .everywhere), Percentile(90, \.p90, .nowhereElse),
        Percentile(95, \.p95, .everywhere), Percentile(99, \.p99, .everywhere),
        Percentile(99.9, \.p999, .tables),
    ]

    /// Those of a first look, and of charts and `timeseries.csv`.
    public static let first = all.filter { $0.place == .everywhere }

    private var number: String { rank == rank.rounded() ? "\(Int(rank))" : "\(rank)" }

    /// Its name: `p95`.
    public var name: String { "p\(number)" }

    /// Its name in thresholds and figures: `p(95)`.
    public var aggregate: String { rank == 50 ? "med" : "p(\(number))" }

    /// The column of its values in tables of durations.
    public var column: Column {
        let column = Column(
            name, .duration,
            (rank == 50 ? "Median: half" : "\(number) %") + " of the values do not exceed it.")
        return place == .tables ? column.onPage : column
    }

    /// Its value of a distribution, in nanoseconds.
    public func callAsFunction(_ latency: LatencySummary) -> Int64 { latency[keyPath: value] }
}
