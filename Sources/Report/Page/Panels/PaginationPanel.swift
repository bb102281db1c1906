/// How fast lists are read.
struct PaginationPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Pagination"
    let note =
        "Pages of lists that were answered, and the items in them, per second of virtual time."
    let absence = "No page of a list was read in this run."

    var content: [Markup] {
        let pages = run.total(of: .pages)["count"].integer
        guard pages > 0 else { return [] }
        let chart = run.chart(
            "Items and pages per second",
            lines: [
                ChartColumn("items", label: "items", kind: "first"),
                ChartColumn("pages", label: "pages", kind: "goodput"),
            ])
        return [chart?.plot.markup, table].compactMap { $0 }
    }

    private var table: Markup {
        let seconds = Double(run.summary["virtualDurationNs"].integer) / 1e9
        let items = run.series(of: .items)
        let rows = run.series(of: .pages).map { series -> [DataTable.Cell] in
            let pages = series["values"]["count"].integer
            let own = items.first { $0["tags"] == series["tags"] }
            let count = own?["values"]["count"].integer ?? 0
            return [
                .text(series["tags"]["app"].text), .text(series["tags"]["endpoint"].text),
                .count(pages), .count(count),
                .number(pages > 0 ? Double(count) / Double(pages) : nil),
                .number(seconds > 0 ? Double(pages) / seconds : nil),
                .number(seconds > 0 ? Double(count) / seconds : nil),
            ]
        }
        let headings = ["app", "list", "pages", "items", "items a page", "pages/s", "items/s"]
        return DataTable(headings: headings, rows: rows).markup(isSortable: true)
    }
}
