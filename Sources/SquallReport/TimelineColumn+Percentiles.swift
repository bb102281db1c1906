extension TimelineColumn {
    /// Percentiles of latencies over time, in the order of the file.
    ///
    /// They are those of the interval of `latency.hlog` that the row lies in, and so of several
    /// rows in a run of more than 240 of them.
    static let percentiles: [(column: TimelineColumn, metric: Metric, percentile: Double)] = [
        (column("step_p50_us", "Half of the steps"), .stepDuration, 50),
        (column("step_p95_us", "95 % of the steps"), .stepDuration, 95),
        (column("step_p99_us", "99 % of the steps"), .stepDuration, 99),
        (column("attempt_p50_us", "Half of the attempts"), .requestDuration, 50),
        (column("attempt_p95_us", "95 % of the attempts"), .requestDuration, 95),
        (column("attempt_p99_us", "99 % of the attempts"), .requestDuration, 99),
    ]

    /// The 95th percentile over time of a metric that has one.
    public static func p95(of metric: Metric) -> TimelineColumn? {
        percentiles.first { $0.metric == metric && $0.percentile == 95 }?.column
    }

    /// Every column of `timeseries.csv`.
    public static let written = builtIn + percentiles.map(\.column)

    private static func column(_ name: String, _ who: String) -> TimelineColumn {
        TimelineColumn(
            name, .level, "\(who) that ended took at most so many microseconds; 0 without any.")
    }
}
