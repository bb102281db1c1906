import SquallFormat

/// How busy the server was, and what it turned away.
struct ServerPanel: Panel {
    private let server: JSON

    init(_ run: SavedRun) { server = run.summary["serverView"] }

    let title = "Server"
    let note = "Over the whole run, warm-up and drain included."
    let absence = "No request reached the server."

    var content: [Markup] {
        guard server["received"].integer > 0 else { return [] }
        let table = DataTable(
            headings: ["workers", "busy", "longest line", "received", "replied"],
            rows: [
                [
                    .count(server["workers"].integer), .percent(server["utilisation"].number),
                    .count(server["longestQueue"].integer), .count(server["received"].integer),
                    .count(server["replied"].integer),
                ]
            ])
        return [table.markup()] + lines
    }

    private var lines: [Markup] {
        let rows = server["lines"].elements
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "endpoint", "served", "mean wait", "longest wait", "longest line", "turned away",
            ],
            rows: rows.map { row in
                [
                    .text(row["endpoint"].text), .count(row["served"].integer),
                    row["served"].integer > 0
                        ? .duration(row["meanWaitNs"].integer) : .text("–"),
                    .duration(row["longestWaitNs"].integer),
                    .count(row["longestQueue"].integer), .count(row["turnedAway"].integer),
                ]
            })
        return [Markup("h3", "Waiting for a worker"), table.markup(isSortable: true)]
    }
}
