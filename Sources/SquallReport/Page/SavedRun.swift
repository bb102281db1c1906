public import SquallFormat

/// A run as its files tell it; ``ReportPage`` knows nothing else, so a page can be drawn again.
public struct SavedRun: Sendable {
    /// The content of `summary.json`.
    let summary: JSON
    /// The content of `timeseries.csv`.
    let timeseries: TimeTable
    /// The content of `latency.hlog`.
    let latencies: LatencyLog

    /// A run of those contents.
    public init(summary: JSON, timeseries: TimeTable, latencies: LatencyLog) {
        self.summary = summary
        self.timeseries = timeseries
        self.latencies = latencies
    }

    /// What a metric came to over all its series; null when it was not measured.
    func total(of metric: Metric) -> JSON {
        let total = summary["metrics"].elements.first { entry in
            entry["name"].text == metric.name && entry["tags"] == .object([:])
        }
        return total?["values"] ?? .null
    }

    /// The series of a metric: their tags and values.
    func series(of metric: Metric) -> [JSON] {
        summary["metrics"].elements.filter { entry in
            entry["name"].text == metric.name && entry["tags"] != .object([:])
        }
    }

    /// The sum of some columns of the time series as rates, thinned to what a chart shows.
    func rates(_ columns: [String]) -> [Double]? {
        let rates = columns.compactMap {
            timeseries.rates(of: $0, rowsAtMost: TimeChart.rowsAtMost)
        }
        guard rates.count == columns.count, let first = rates.first else { return nil }
        return rates.dropFirst().reduce(first) { zip($0, $1).map { $0 + $1 } }
    }

    /// What is marked in every chart over time: what was done to the server.
    var marks: [(moment: Int64, label: String)] {
        summary["triggers"].elements.map { ($0["startNs"].integer, $0["name"].text) }
    }

    /// A chart over time of some columns; nil when one of them is missing.
    func chart(
        _ title: String, stack: [ChartColumn] = [], lines: [ChartColumn] = []
    ) -> TimeChart? {
        func series(_ columns: [ChartColumn]) -> [TimeChart.Series]? {
            let series = columns.compactMap { column in
                rates(column.names).map {
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
            marks: marks)
    }
}

/// Columns of the time series that a chart shows as one.
struct ChartColumn {
    /// Their headings; they are added up.
    let names: [String]
    /// What the legend calls them.
    let label: String
    /// The style of their area or line.
    let kind: String

    init(_ names: String..., label: String, kind: String) {
        self.names = names
        self.label = label
        self.kind = kind
    }
}
