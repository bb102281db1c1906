import SquallFormat

/// How fast lists are read.
struct PaginationPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Pagination"
    let note =
        "Pages of lists that were answered, and the items in them, per second of virtual time; then"
        + " lists that were read in one go, from their first page on."
    let absence = "No page of a list was read in this run."

    var content: [Markup] {
        let pages = run.summary.total(of: .pages)?.count ?? 0
        guard pages > 0 else { return [] }
        let chart = run.chart(
            "Items and pages per second",
            lines: [
                ChartColumn(.items, label: "items", kind: "first"),
                ChartColumn(.pages, label: "pages", kind: "goodput"),
            ])
        return [chart?.plot.markup, table, readings, depths].compactMap { $0 }
    }

    /// What readers of whole lists got; each row is one population's way to read one list.
    private var readings: Markup? {
        let rows = run.summary.readings.map { row -> [DataTable.Cell] in
            [
                .text(row.population), .text(row.endpoint), .text(row.paging), .count(row.readings),
                .duration(row.firstPage.p50),
                row.end.count > 0 ? .duration(row.end.p50) : .text("–"),
                .number(row.pagesPerSecond), .number(row.itemsPerSecond), .count(row.repeated),
                .count(row.missed),
            ]
        }
        guard !rows.isEmpty else { return nil }
        let headings = [
            "population", "list", "by", "readers", "first page", "end", "pages/s of reading",
            "items/s of reading", "shown twice", "missed",
        ]
        return DataTable(headings: headings, rows: rows).markup(isSortable: true)
    }

    /// What a page costs by how many items its reader had got before.
    private var depths: Markup? {
        let rows = run.summary.readings.flatMap { row in
            row.depths.filter { $0.pages > 0 }.map { depth in
                [
                    DataTable.Cell.text(row.population), .text(row.paging), .count(depth.from),
                    .count(depth.pages), .number(depth.rowsPerPage),
                    .duration(depth.nanosecondsPerPage ?? 0),
                ]
            }
        }
        guard !rows.isEmpty else { return nil }
        let headings = ["population", "by", "items before", "pages", "rows a page", "time a page"]
        return DataTable(headings: headings, rows: rows).markup(isSortable: true)
    }

    private var table: Markup {
        let items = run.summary.series(of: .items)
        let rows = run.summary.series(of: .pages).map { series -> [DataTable.Cell] in
            let pages = series.count ?? 0
            let shown = items.first { $0.tags == series.tags }
            let count = shown?.count ?? 0
            return [
                .text(series.tags[.population] ?? ""), .text(series.tags[.endpoint] ?? ""),
                .count(pages),
                .count(count),
                .number(pages > 0 ? Double(count) / Double(pages) : nil),
                .number(series.rate), .number(shown?.rate),
            ]
        }
        let headings = [
            "population", "list", "pages", "items", "items a page", "pages/s", "items/s",
        ]
        return DataTable(headings: headings, rows: rows).markup(isSortable: true)
    }
}
