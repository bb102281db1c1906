import SquallFormat

/// How each endpoint answered.
struct EndpointPanel: Panel {
    private let rows: [JSON]

    init(_ run: SavedRun) { rows = run.summary["endpoints"].elements }

    let title = "Endpoints"
    let note = "Attempts by what came back, and their time on the wire."
    let absence = "No endpoint was called."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let latencies = ["min", "p50", "p95", "p99", "p99_9", "max", "mean"]
        let table = DataTable(
            headings: ["app", "endpoint", "attempts", "ok", "4xx", "5xx", "lost", "failed"]
                + latencies.map { $0 == "p99_9" ? "p99.9" : $0 },
            rows: rows.map { row in
                let answers = row["answers"]
                let ok = answers["2xx"].integer + answers["3xx"].integer
                let bad = ["4xx", "5xx", "lost"].map { answers[$0].integer }
                let failed = bad.reduce(0, +)
                let share = Double(failed) / Double(max(1, ok + failed))
                return [
                    .text(row["app"].text), .text(row["endpoint"].text), .count(ok + failed),
                    .count(ok),
                ] + bad.map(DataTable.Cell.count) + [.percent(share)]
                    + latencies.map { .duration(row["durationNs"][$0].integer) }
            })
        return [table.markup(isSortable: true)]
    }
}
