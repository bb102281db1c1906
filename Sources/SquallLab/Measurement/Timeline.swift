import SquallReport

/// The rows of `timeseries.csv` while they are counted.
struct Timeline {
    typealias Column = TimelineColumn

    private(set) var series: TimeSeries
    /// Whether the run is over: its world may take years to end, with a row for each second.
    private var isClosed = false

    init(intervalNanoseconds: Int64) {
        series = TimeSeries(columns: Column.builtIn, intervalNanoseconds: intervalNanoseconds)
    }

    mutating func count(_ column: Column, _ amount: Int64 = 1, at moment: Int64) {
        if !isClosed { series.record(amount, in: column, atNanoseconds: moment) }
    }

    /// Counts in a column that was looked up once.
    mutating func count(_ place: TimeSeries.Place, _ amount: Int64 = 1, at moment: Int64) {
        if !isClosed { series.record(amount, at: place, atNanoseconds: moment) }
    }

    /// Counts nothing from now on.
    mutating func close() { isClosed = true }

    mutating func extend(to moment: Int64) { series.extend(toNanoseconds: moment) }
}
