import SquallReport

/// The rows of `timeseries.csv` while they are counted.
struct Timeline {
    typealias Column = TimelineColumn

    private(set) var series: TimeSeries

    init(intervalNanoseconds: Int64) {
        series = TimeSeries(columns: Column.builtIn, intervalNanoseconds: intervalNanoseconds)
    }

    mutating func count(_ column: Column, _ amount: Int64 = 1, at moment: Int64) {
        series.record(amount, in: column, atNanoseconds: moment)
    }

    /// Counts in a column whose place was asked for once.
    mutating func count(_ place: TimeSeries.Place, _ amount: Int64 = 1, at moment: Int64) {
        series.record(amount, at: place, atNanoseconds: moment)
    }

    mutating func extend(to moment: Int64) { series.extend(toNanoseconds: moment) }
}
