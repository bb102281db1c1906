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
        (run + metrics + thresholds).joined().map { $0 + "\n" }.joined()
    }

    private var run: [[String]] {
        let labels = [
            ("digest", summary.digest.text), ("profile", summary.profile),
            ("seed", "\(summary.seed)"), ("verdict", summary.verdict.rawValue),
        ]
        return [
            family(
                "squall_run_info", "gauge", "What was run, and its verdict.",
                [("", labels, "1")]),
            family(
                "squall_run_virtual_seconds", "gauge", "Virtual time that passed.",
                [("", [], Int128(summary.virtualNanoseconds).seconds)]),
            family(
                "squall_run_measured_seconds", "gauge", "What is measured of the load.",
                [("", [], Int128(summary.measuredNanoseconds).seconds)]),
        ]
    }

    private var metrics: [[String]] {
        let groups = Dictionary(grouping: series.entries, by: \.key.metric)
        return groups.ordered { $0.key < $1.key }.flatMap { metric, series in
            let tagged = series.filter { !$0.key.tags.isEmpty }
            return families(of: metric, tagged.isEmpty ? series : tagged)
        }
    }

    private var thresholds: [[String]] {
        let samples = summary.thresholds.map { result in
            let labels = [("expression", result.expression), ("metric", result.metric)]
            return ("", labels, result.ok ? "1" : "0")
        }
        return [family("squall_threshold_ok", "gauge", "Whether a threshold held.", samples)]
    }

    private typealias Entry = (key: MetricKey, value: MetricValue)
    /// A suffix of the name, labels and a value.
    private typealias Sample = (String, [(String, String)], String)

    private func families(of metric: Metric, _ series: [Entry]) -> [[String]] {
        let name = "squall_\(metric.name)"
        let help = metric.summary
        func lines(
            _ suffix: String, _ kind: String, _ value: (MetricValue) -> Int64?
        ) -> [String] {
            let samples = series.compactMap { series in
                value(series.value).map { ("", series.key.labels, "\($0)") }
            }
            return family(name + suffix, kind, help, samples)
        }
        switch metric.kind {
        case .counter:
            let rates = series.compactMap { series in
                series.value.count?.rate(overNanoseconds: summary.measuredNanoseconds).map {
                    ("", series.key.labels, "\($0)")
                }
            }
            return [
                lines("_total", "counter", \.count?.all),
                family(
                    name + "_per_second", "gauge",
                    "Each second of what is measured of the load. " + help, rates),
            ]
        case .rate, .ratio:
            return [
                lines("_part_total", "counter", \.ratio?.part),
                lines("_whole_total", "counter", \.ratio?.whole),
            ]
        case .gauge:
            return [
                lines("", "gauge", \.gauge?.level),
                lines("_highest", "gauge") { $0.gauge?.level == nil ? nil : $0.gauge?.highest },
            ]
        case .trend:
            let samples = series.flatMap { series in
                series.value.histogram.map { distribution($0, series.key.labels) } ?? []
            }
            return [family(name + "_seconds", "histogram", help, samples)]
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
            let bound = (Int128(milliseconds) * 1_000_000).seconds
            return ("_bucket", labels + [("le", bound)], "\(reached)")
        }
        return buckets + [
            ("_bucket", labels + [("le", "+Inf")], "\(histogram.count)"),
            ("_sum", labels, histogram.sum.seconds),
            ("_count", labels, "\(histogram.count)"),
        ]
    }

    /// The lines of one metric: its description and its samples; none without samples.
    private func family(
        _ name: String, _ kind: String, _ help: String, _ samples: [Sample]
    ) -> [String] {
        guard !samples.isEmpty else { return [] }
        return ["# HELP \(name) \(help)", "# TYPE \(name) \(kind)"]
            + samples.map { suffix, labels, value in
                let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
                return name + suffix + (list.isEmpty ? "" : "{\(list)}") + " " + value
            }
    }

    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { [92, 34, 10].contains($0) }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}

extension Int128 {
    /// So many nanoseconds as seconds, exactly.
    fileprivate var seconds: String {
        let (whole, rest) = quotientAndRemainder(dividingBy: 1_000_000_000)
        guard rest > 0 else { return "\(whole)" }
        var fraction = rest.padded(9)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(whole).\(fraction)"
    }
}

extension MetricKey {
    fileprivate var labels: [(String, String)] { tags.map { ($0.key.rawValue, $0.value) } }
}

extension OutputFormat {
    /// Every series, for tools that scrape or import metrics.
    static let prometheus = OutputFormat("metrics.prom") { output in
        PrometheusText(output.summary, output.metrics).text
    }
}
