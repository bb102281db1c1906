import SquallFormat

/// A run's metrics in Prometheus' text format, version 0.0.4: the content of `metrics.prom`.
///
/// It has series only: a query can sum up totals. Durations are histograms in seconds with the
/// bounds that OpenTelemetry recommends for HTTP clients.
public struct PrometheusText {
    private static let bounds: [Int64] = [
        5, 10, 25, 50, 75, 100, 250, 500, 750, 1_000, 2_500, 5_000, 7_500, 10_000,
    ]

    private let summary: RunSummary
    private let series: Metrics

    /// The text of a summary, with the whole distributions of its metrics.
    public init(_ summary: RunSummary, _ metrics: Metrics) {
        self.summary = summary
        series = metrics
    }

    /// The whole text, every line ended by a line feed.
    public var text: String {
        (run + metrics + thresholds).flatMap(\.lines).map { $0 + "\n" }.joined()
    }

    private var run: [Family] {
        let labels = [
            ("digest", summary.digest.text), ("profile", summary.profile),
            ("seed", "\(summary.seed)"), ("verdict", summary.verdict.rawValue),
        ]
        return [
            Family(
                "squall_run_info", .gauge, "What was run, and its verdict.",
                [Sample("", labels, "1")]),
            Family(
                "squall_run_virtual_seconds", .gauge, "Virtual time that passed.",
                [Sample("", [], Decimal.seconds(Int128(summary.virtualNanoseconds)))]),
            Family(
                "squall_run_measured_seconds", .gauge, "What is measured of the load.",
                [Sample("", [], Decimal.seconds(Int128(summary.measuredNanoseconds)))]),
        ]
    }

    private var metrics: [Family] {
        let groups = Dictionary(grouping: series.entries, by: \.key.metric)
        return groups.sorted { $0.key < $1.key }.flatMap { metric, series in
            let tagged = series.filter { !$0.key.tags.isEmpty }
            return families(of: metric, tagged.isEmpty ? series : tagged)
        }
    }

    private var thresholds: [Family] {
        guard !summary.thresholds.isEmpty else { return [] }
        let samples = summary.thresholds.map { result in
            let labels = [("expression", result.expression), ("metric", result.metric)]
            return Sample("", labels, result.ok ? "1" : "0")
        }
        return [Family("squall_threshold_ok", .gauge, "Whether an expectation held.", samples)]
    }

    private typealias Entry = (key: MetricKey, value: MetricValue)

    private func families(of metric: Metric, _ series: [Entry]) -> [Family] {
        let name = "squall_\(metric.name)"
        let help = metric.summary
        func family(_ suffix: String, _ kind: Family.Kind, _ value: (MetricValue) -> Int64?)
            -> Family
        {
            let samples = series.compactMap { series in
                value(series.value).map { Sample("", series.key.labels, "\($0)") }
            }
            return Family(name + suffix, kind, help, samples)
        }
        switch metric.kind {
        case .counter:
            let rates = series.compactMap { series in
                series.value.count?.rate(overNanoseconds: summary.measuredNanoseconds).map {
                    Sample("", series.key.labels, "\($0)")
                }
            }
            return [
                family("_total", .counter, \.count?.all),
                Family(
                    name + "_per_second", .gauge,
                    "Each second of what is measured of the load. " + help, rates),
            ]
        case .rate, .ratio:
            return [
                family("_part_total", .counter, \.ratio?.part),
                family("_whole_total", .counter, \.ratio?.whole),
            ]
        case .gauge:
            return [
                family("", .gauge, \.gauge?.level),
                family("_highest", .gauge) { $0.gauge?.level == nil ? nil : $0.gauge?.highest },
            ]
        case .trend:
            let samples = series.flatMap { series in
                series.value.histogram.map { distribution($0, series.key.labels) } ?? []
            }
            return [Family(name + "_seconds", .histogram, help, samples)]
        }
    }

    /// The samples of a histogram; a bucket's bound is exact to 0.1 %.
    private func distribution(_ histogram: Histogram, _ labels: [(String, String)]) -> [Sample] {
        var rest = Array(histogram.buckets)[...]
        var reached: Int64 = 0
        let buckets = PrometheusText.bounds.map { milliseconds in
            while let bucket = rest.first, bucket.highest <= milliseconds * 1_000_000 {
                reached += bucket.count
                rest.removeFirst()
            }
            let bound = Decimal.seconds(Int128(milliseconds) * 1_000_000)
            return Sample("_bucket", labels + [("le", bound)], "\(reached)")
        }
        return buckets + [
            Sample("_bucket", labels + [("le", "+Inf")], "\(histogram.count)"),
            Sample("_sum", labels, Decimal.seconds(histogram.sum)),
            Sample("_count", labels, "\(histogram.count)"),
        ]
    }
}

/// One metric with its description and its samples.
private struct Family {
    enum Kind: String { case counter, gauge, histogram }

    let lines: [String]

    init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        let head = ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)"]
        lines = samples.isEmpty ? [] : head + samples.map { $0.line(of: name) }
    }
}

private struct Sample {
    let suffix: String
    let labels: [(String, String)]
    let value: String

    init(_ suffix: String, _ labels: [(String, String)], _ value: String) {
        self.suffix = suffix
        self.labels = labels
        self.value = value
    }

    func line(of name: String) -> String {
        let list = labels.map { "\($0)=\"\(Sample.escaped($1))\"" }.joined(separator: ",")
        return name + suffix + (list.isEmpty ? "" : "{\(list)}") + " " + value
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { [92, 34, 10].contains($0) }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}

/// Whole nanoseconds as seconds, exactly.
private enum Decimal {
    static func seconds(_ nanoseconds: Int128) -> String {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest > 0 else { return "\(whole)" }
        var fraction = rest.padded(9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }
}

extension MetricKey {
    fileprivate var labels: [(String, String)] { tags.map { ($0.key.rawValue, $0.value) } }
}

extension MetricValue {
    fileprivate var count: EventCount? { if case .counter(let count) = self { count } else { nil } }

    fileprivate var ratio: Ratio? {
        switch self {
        case .rate(let ratio), .ratio(let ratio): ratio
        default: nil
        }
    }

    fileprivate var gauge: Gauge? { if case .gauge(let gauge) = self { gauge } else { nil } }

    fileprivate var histogram: Histogram? {
        if case .trend(let histogram) = self { histogram } else { nil }
    }
}

extension OutputFormat {
    /// Every series, for tools that scrape or import metrics.
    static let prometheus = OutputFormat("metrics.prom") { output in
        PrometheusText(output.summary, output.metrics).text
    }
}
