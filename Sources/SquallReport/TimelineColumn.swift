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
    /// The rule that combines samples of one interval.
    public let kind: Kind
    /// One sentence about the counted events.
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

    /// The rule that combines samples of one interval, and the number of an interval without
    /// samples.
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
    /// True for columns of the same name.
    public static func == (left: TimelineColumn, right: TimelineColumn) -> Bool {
        left.code == right.code
    }

    /// Hashes the number that stands for the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The columns of any run; each one's text, or its metric's, defines it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TimelineColumn {
    public static let usersArrived = TimelineColumn(
        "users_arrived", .level, "Users who have arrived so far.")
    public static let stepsRunning = TimelineColumn(
        "steps_running", .level, "Steps under way at the end of the interval.")
    public static let stepsEnded = TimelineColumn(counting: .steps)
    public static let stepsFailed = TimelineColumn(
        "steps_failed", .sum, "Steps that did not show the user what was asked for.")
    public static let stepsHung = TimelineColumn(counting: .hangs)
    public static let stepsIdle = TimelineColumn(counting: .stepsIdle)
    public static let requests = TimelineColumn(counting: .requests)
    public static let succeeded = TimelineColumn(
        "responses_2xx", .sum, "Attempts that got what they asked for.")
    public static let expired = TimelineColumn(counting: .expiredResponses)
    public static let failed = TimelineColumn(
        "responses_other", .sum, "Attempts answered with anything else.")
    public static let lost = TimelineColumn("no_response", .sum, "Attempts without a response.")
    public static let firstAttempts = TimelineColumn(
        "first_attempts", .sum, "Attempts sent that are their call's first, no refreshes.")
    public static let retries = TimelineColumn(counting: .retries)
    public static let refreshes = TimelineColumn(counting: .refreshes)
    public static let held = TimelineColumn(
        "requests_held", .level, "Requests that wait for a new token.")
    public static let sessionsLost = TimelineColumn(counting: .sessionsLost)
    public static let goodput = TimelineColumn("goodput", .sum, "Calls of the app that succeeded.")
    public static let pages = TimelineColumn(counting: .pages)
    public static let items = TimelineColumn(counting: .items)

    public static let workersBusy = TimelineColumn(
        "workers_busy", .level, "Workers at work at the end of the interval.")
    public static let serverQueue = TimelineColumn(
        "server_queue", .level, "Requests that wait for a worker at the end of the interval.")
    public static let serverWaitP50 = TimelineColumn(
        "server_wait_p50_ns", .peak, "Half of those who left the line had waited no longer.")
    public static let serverWaitP95 = TimelineColumn(
        "server_wait_p95_ns", .peak, "95 % of those who left the line had waited no longer.")
    public static let serverWaitP99 = TimelineColumn(
        "server_wait_p99_ns", .peak, "99 % of those who left the line had waited no longer.")

    /// The columns of this package, in the order of the file; a new one is one line here.
    public static let builtIn: [TimelineColumn] = [
        .usersArrived, .stepsRunning, .stepsEnded, .stepsFailed, .stepsHung, .stepsIdle,
        .requests, .firstAttempts, .retries, .refreshes, .succeeded, .expired, .failed, .lost,
        .held, .sessionsLost, .goodput, .pages, .items, .workersBusy,
        .serverQueue, .serverWaitP50, .serverWaitP95, .serverWaitP99,
    ]

    /// The columns that only a simulated server fills; a run in front of a real one lacks them.
    public static let ofServer: Set<TimelineColumn> = [
        .pages, .items, .workersBusy, .serverQueue, .serverWaitP50, .serverWaitP95,
        .serverWaitP99,
    ]
}

extension TimelineColumn {
    /// Percentiles of latencies over time, in the order of the file.
    ///
    /// A row shows those of its interval in `latency.hlog`, which covers several rows in a run of
    /// more than 240 rows.
    static let percentiles = timedMetrics.flatMap { metric in
        Percentile.first.map { (column: column(metric, $0), metric: metric, percentile: $0.rank) }
    }
    static let timedMetrics = [Metric.stepDuration, .requestDuration]
    static let timedPercentiles = Percentile.first.map(\.rank)

    /// The column with a metric's 95th percentile over time, if there is one.
    public static func p95(of metric: Metric) -> TimelineColumn? {
        percentiles.first { $0.metric == metric && $0.percentile == 95 }?.column
    }

    /// Every column of `timeseries.csv`.
    public static let written = builtIn + percentiles.map(\.column)

    private static func column(_ metric: Metric, _ percentile: Percentile) -> TimelineColumn {
        TimelineColumn(
            "\(metric.name)_\(percentile.name)_ns", .level,
            "The \(percentile.name.dropFirst())th percentile of those that ended; 0 without any."
                + " \(metric.summary)")
    }
}

extension TimelineColumn {
    /// The name of a series of `timeseries.csv` in sentences: `the p95 step duration`.
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
