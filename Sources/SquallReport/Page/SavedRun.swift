/// The content of a run's files; its page uses nothing else, so it can be drawn again.
public struct SavedRun: Sendable {
    /// The content of `summary.json`.
    let summary: RunSummary
    /// The content of `timeseries.csv`.
    let timeseries: TimeTable
    /// The content of `latency.hlog`.
    let latencies: LatencyLog

    /// A run from the contents of its files.
    public init(summary: RunSummary, timeseries: TimeTable, latencies: LatencyLog) {
        self.summary = summary
        self.timeseries = timeseries
        self.latencies = latencies
    }

    /// The sum of some columns of the time series as rates, thinned for a chart; nil when the run
    /// was too short.
    func rates(_ columns: [TimelineColumn]) -> [Double]? {
        let rates = columns.compactMap {
            timeseries.rates(of: $0, rowsAtMost: TimeChart.rowsAtMost)
        }
        guard rates.count == columns.count, let first = rates.first else { return nil }
        return rates.dropFirst().reduce(first) { zip($0, $1).map { $0 + $1 } }
    }

    /// A chart of some columns over time; nil when the run was too short.
    func chart(
        _ title: String, stack: [ChartColumn] = [], lines: [ChartColumn] = []
    ) -> TimeChart? {
        func series(_ columns: [ChartColumn]) -> [TimeChart.Series]? {
            let series = columns.compactMap { column in
                rates(column.columns).map {
                    TimeChart.Series(name: column.label, kind: column.kind, values: $0)
                }
            }
            return series.count == columns.count ? series : nil
        }
        guard let stacked = series(stack), let drawn = series(lines) else { return nil }
        return TimeChart(
            title: title, stack: stacked, lines: drawn,
            starts: timeseries.groupStarts(rowsAtMost: TimeChart.rowsAtMost),
            spanNanoseconds: timeseries.spanNanoseconds(rowsAtMost: TimeChart.rowsAtMost),
            marks: summary.faults)
    }
}

/// Columns of the time series that a chart shows as one series.
struct ChartColumn {
    /// The columns to add up.
    let columns: [TimelineColumn]
    /// Their name in the legend.
    let label: String
    /// The style of their area or line.
    let kind: String

    init(_ columns: TimelineColumn..., label: String, kind: String) {
        self.columns = columns
        self.label = label
        self.kind = kind
    }
}
