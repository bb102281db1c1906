import SquallFormat

/// What is asked for by screens that nobody sees.
struct HiddenScreenPanel: Panel {
    private let rows: [HiddenScreenRow]

    init(_ run: SavedRun) { rows = HiddenScreenRow.all(of: run.summary) }

    let title = "Calls of hidden screens"
    let note =
        "A screen that another covers may load beside it, and one that was replaced may stay alive"
        + " and load for ever: nobody sees what comes, and the server answers it all the same."
        + " Refreshes for such calls are among them."
    let absence = "No screen asked for anything while nobody saw it."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let most = rows.compactMap(\.perStep).max() ?? 1
        let table = DataTable(
            headings: [
                "population", "journey", "step", "covered", "replaced", "for each step", "",
            ],
            rows: rows.map { row in
                [
                    .text(row.population), .text(row.journey), .text(row.step),
                    .count(row.covered), .count(row.replaced), .number(row.perStep),
                    .bar((row.perStep ?? 0) / max(1, most), "fill-retry"),
                ]
            })
        return [table.markup(isSortable: true)]
    }
}
