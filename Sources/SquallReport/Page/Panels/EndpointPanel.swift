import SquallFormat

/// How each endpoint answered.
struct EndpointPanel: Panel {
    /// How many endpoints are drawn; all are in the table.
    private static let drawnAtMost = 12

    private let run: SavedRun
    private var rows: [EndpointRow] { run.summary.endpoints }

    init(_ run: SavedRun) { self.run = run }

    let title = "Endpoints"
    let note =
        "Attempts by what came back, their time on the wire, and their wait for one of their user's"
        + " connections before it; over time for those that fail most"
        + " and, after them, those that are called most."
    let absence = "No endpoint was called."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "endpoint", "attempts", "ok", "4xx", "5xx", "lost", "no end",
                "failed", "p50", "p95", "p99", "p99.9", "max", "mean", "for a connection, p95",
            ],
            rows: rows.map { row in
                let (answers, latency) = (row.answers, row.latency)
                let ended = answers.ok + answers.failed
                let wait = row.connectionWait
                return [
                    .text(row.population), .text(row.endpoint), .count(ended + answers.neverEnded),
                    .count(answers.ok),
                    .count(answers.clientError), .count(answers.serverError),
                    .count(answers.lost), .count(answers.neverEnded),
                    .percent(Double(answers.failed) / Double(max(1, ended))),
                    .latency(latency.p50, of: latency), .latency(latency.p95, of: latency),
                    .latency(latency.p99, of: latency), .latency(latency.p999, of: latency),
                    .latency(latency.maximum, of: latency), .latency(latency.mean, of: latency),
                    .latency(wait.p95, of: wait),
                ]
            })
        let charts = charts
        let grid = charts.isEmpty ? [] : [Markup("div", ["class": "grid-of-charts"], charts)]
        return grid + [table.markup(isSortable: true)]
    }

    private var charts: [Markup] {
        let worst = rows.sorted { left, right in
            (left.answers.failed, left.answers.ok) > (right.answers.failed, right.answers.ok)
        }
        return worst.prefix(Self.drawnAtMost).compactMap { row in
            EndpointChart(row: row, run: run).plot?.markup
        }
    }
}
