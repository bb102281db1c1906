/// How each endpoint answered.
struct EndpointPanel: Panel {
    private let rows: [EndpointRow]

    init(_ run: SavedRun) { rows = run.summary.endpoints }

    let title = "Endpoints"
    let note = "Attempts by what came back, and their time on the wire."
    let absence = "No endpoint was called."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "app", "endpoint", "attempts", "ok", "4xx", "5xx", "lost", "failed", "min", "p50",
                "p95", "p99", "p99.9", "max", "mean",
            ],
            rows: rows.map { row in
                let (answers, latency) = (row.answers, row.latency)
                let all = answers.ok + answers.failed
                return [
                    .text(row.app), .text(row.endpoint), .count(all), .count(answers.ok),
                    .count(answers.clientError), .count(answers.serverError),
                    .count(answers.lost),
                    .percent(Double(answers.failed) / Double(max(1, all))),
                    .duration(latency.minimum), .duration(latency.p50), .duration(latency.p95),
                    .duration(latency.p99), .duration(latency.p999), .duration(latency.maximum),
                    .duration(latency.mean),
                ]
            })
        return [table.markup(isSortable: true)]
    }
}
