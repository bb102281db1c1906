extension TimelineColumn {
    /// Percentiles of latencies over time, in the order of the file.
    ///
    /// A row shows those of its interval in `latency.hlog`, which covers several rows in a run of
    /// more than 240 rows.
    static let percentiles: [(column: TimelineColumn, metric: Metric, percentile: Double)] = [
        (column(.stepDuration, 50), .stepDuration, 50),
        (column(.stepDuration, 95), .stepDuration, 95),
        (column(.stepDuration, 99), .stepDuration, 99),
        (column(.requestDuration, 50), .requestDuration, 50),
        (column(.requestDuration, 95), .requestDuration, 95),
        (column(.requestDuration, 99), .requestDuration, 99),
    ]

    /// The column with a metric's 95th percentile over time, if there is one.
    public static func p95(of metric: Metric) -> TimelineColumn? {
        percentiles.first { $0.metric == metric && $0.percentile == 95 }?.column
    }

    /// Every column of `timeseries.csv`.
    public static let written = builtIn + percentiles.map(\.column)

    private static func column(_ metric: Metric, _ percentile: Int) -> TimelineColumn {
        TimelineColumn(
            "\(metric.name)_p\(percentile)_ns", .level,
            "The \(percentile)th percentile of those that ended; 0 without any. \(metric.summary)")
    }
}

extension TimelineColumn {
    /// What a sentence calls a series of `timeseries.csv`: `the p95 step duration`.
    public static func words(ofSeries series: String) -> String {
        let parts = series.split(separator: "_").map(String.init)
        if parts.last == "ns", let percentile = parts.dropLast().last {
            let metric = parts.dropLast(2).joined(separator: "_")
            return MetricWords.words(of: metric, "p(\(percentile.dropFirst()))")
        }
        return series == stepsRunning.name
            ? "the number of concurrent steps" : "the number of \(MetricWords.noun(of: series))"
    }
}
