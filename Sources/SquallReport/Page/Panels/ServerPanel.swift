import SquallFormat

/// How busy the server was, and what it turned away.
struct ServerPanel: Panel {
    private let server: ServerView?

    init(_ run: SavedRun) { server = run.summary.server }

    let title = "Server"
    let note =
        "In what is measured; how busy it was and the line cover the time of the load, without the"
        + " drain."
    let absence = "No request reached the server."

    var content: [Markup] {
        guard let server, server.received > 0 else { return [] }
        let table = DataTable(
            headings: [
                "workers", "busy", "mean line", "longest line", "mean wait", "p95 wait", "p99 wait",
                "received", "replied",
            ],
            rows: [
                [
                    .count(server.workers), .percent(server.utilisation),
                    .number(server.meanQueue), .count(server.longestQueue),
                    .duration(server.wait.mean), .duration(server.wait.p95),
                    .duration(server.wait.p99), .count(server.received), .count(server.replied),
                ]
            ])
        return [table.markup()] + pools(server.pools) + database(server.database)
            + lines(server.lines)
    }

    private func pools(_ pools: [ServerView.Pool]) -> [Markup] {
        guard !pools.isEmpty else { return [] }
        let table = DataTable(
            headings: ["pool", "workers", "busy", "mean line", "longest line"],
            rows: pools.map { pool in
                [
                    .text(pool.words), .number(pool.meanWorkers), .percent(pool.utilisation),
                    .number(pool.meanQueue), .count(pool.longestQueue),
                ]
            })
        return [Markup("h3", "Pools of workers"), table.markup()]
    }

    private func database(_ database: ServerView.Database?) -> [Markup] {
        guard let database else { return [] }
        let table = DataTable(
            headings: [
                "connections", "in use", "mean line", "longest line", "mean wait", "p95 wait",
                "p99 wait", "queries", "rows",
            ],
            rows: [
                [
                    .count(database.connections), .number(database.meanBusy),
                    .number(database.meanQueue), .count(database.longestQueue),
                    .duration(database.wait.mean), .duration(database.wait.p95),
                    .duration(database.wait.p99), .count(database.queries), .count(database.rows),
                ]
            ])
        return [Markup("h3", "Database"), table.markup()]
    }

    private func lines(_ rows: [ServerView.Line]) -> [Markup] {
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "endpoint", "served", "mean wait", "longest wait", "longest line", "turned away",
                "let go",
            ],
            rows: rows.map { row in
                [
                    .text(row.endpoint), .count(row.served),
                    row.meanWaitNanoseconds.map(DataTable.Cell.duration) ?? .text("–"),
                    .duration(row.longestWaitNanoseconds), .count(row.longestQueue),
                    .count(row.turnedAway), .count(row.abandoned),
                ]
            })
        return [Markup("h3", "Waiting for a worker"), table.markup(isSortable: true)]
    }
}

extension ServerView.Pool {
    /// Its name, or what it does where it has none.
    var words: String { name.isEmpty ? "all other calls" : name }
}
