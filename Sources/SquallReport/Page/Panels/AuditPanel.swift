import SquallFormat

/// What is wrong although no call failed.
struct AuditPanel: Panel {
    private let rows: [AuditRow]

    init(_ run: SavedRun) { rows = run.summary.audits }

    let title = "Audits"
    let note =
        "What people were left with is held against what the server holds: no call failed here, and"
        + " yet something is lost, stale, shown twice or charged twice."
    let absence = "What people saw is what the server holds."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: ["what", "found", "population", "for example"],
            rows: rows.map { row in
                [
                    .text(row.kind), .count(row.count), .text(row.population),
                    .prose(row.example),
                ]
            })
        return [table.markup(isSortable: true)]
    }
}
