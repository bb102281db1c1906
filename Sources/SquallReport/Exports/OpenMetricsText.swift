import SquallFormat

/// A run over its virtual time in OpenMetrics, with a time for each sample: `openmetrics.txt`.
///
/// Prometheus imports it by `promtool tsdb create-blocks-from openmetrics`; the dashboard that
/// `squall schema grafana` prints shows it. Virtual time begins at ``epochSeconds``, since such a
/// database needs dates. Sums are counters, levels and percentiles are gauges.
struct OpenMetricsText {
    /// 2024-09-01T00:00:00Z, when every run begins.
    static let epochSeconds: Int64 = 1_725_148_800
    /// More samples of one series than this add nothing to a chart.
    private static let rowsAtMost = 600

    let summary: RunSummary
    let table: TimeTable

    /// The whole text, with the final mark that the format requires.
    var text: String {
        var text = ""
        for (index, column) in table.columns.enumerated() { append(column, index, to: &text) }
        return text + "# EOF\n"
    }

    private func append(_ column: TimelineColumn, _ index: Int, to text: inout String) {
        let isCounter = column.kind == .sum
        let name = Self.name(of: column)
        text += "# HELP \(name) \(column.meaning.replacing("\n", with: " "))\n"
        text += "# TYPE \(name) \(isCounter ? "counter" : "gauge")\n"
        let series = "\(name)\(isCounter ? "_total" : "")\(labels) "
        var sum: Int64 = 0
        let group = max(1, (table.starts.count + Self.rowsAtMost - 1) / Self.rowsAtMost)
        let length = (table.intervalNanoseconds ?? 1_000_000_000) / 1_000_000
        for (row, values) in table.values.enumerated() {
            sum += values[index]
            guard row % group == group - 1 || row == table.values.count - 1 else { continue }
            let end = Self.epochSeconds * 1_000 + table.starts[row] + length
            text += series + "\(isCounter ? sum : values[index]) \(end.thousandths)\n"
        }
    }

    /// The metric's name.
    static func name(of column: TimelineColumn) -> String { "squall_run_\(column.name)" }

    private var labels: String {
        let profile = summary.profile.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: " ")
        return "{profile=\"\(profile)\",seed=\"\(summary.seed)\"}"
    }
}

extension OutputFormat {
    /// The run over time, for Prometheus' backfill, where the profile asks for it.
    static let openMetrics = OutputFormat("openmetrics.txt") { output in
        guard output.writesOpenMetrics else { return nil }
        return OpenMetricsText(summary: output.summary, table: output.table).text
    }
}
