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
        let pages = run.total(of: .pages)["count"].integer
        guard pages > 0 else { return [] }
        let chart = run.chart(
            "Items and pages per second",
            lines: [
                ChartColumn("items", label: "items", kind: "first"),
                ChartColumn("pages", label: "pages", kind: "goodput"),
            ])
        return [chart?.plot.markup, table, readings, depths].compactMap { $0 }
    }

    /// What readers of whole lists got; each row is one population's way to read one list.
    private var readings: Markup? {
        let rows = run.summary["readings"].elements.map { row -> [DataTable.Cell] in
            [
                .text(row["population"].text), .text(row["endpoint"].text),
                .text(row["paging"].text), .count(row["readings"].integer),
                .duration(row["firstPageNs"]["p50"].integer),
                row["endNs"]["count"].integer > 0
                    ? .duration(row["endNs"]["p50"].integer) : .text("–"),
                .number(row["pagesPerSecond"].number), .number(row["itemsPerSecond"].number),
                .count(row["repeated"].integer), .count(row["missed"].integer),
            ]
        }
        guard !rows.isEmpty else { return nil }
        let headings = [
            "population", "list", "by", "readers", "first page", "end", "pages/s", "items/s",
            "shown twice", "missed",
        ]
        return DataTable(headings: headings, rows: rows).markup(isSortable: true)
    }

    /// What a page costs by how many items its reader had got before.
    private var depths: Markup? {
        let rows = run.summary["readings"].elements.flatMap { row in
            row["depths"].elements.filter { $0["pages"].integer > 0 }.map { depth in
                [
                    DataTable.Cell.text(row["population"].text), .text(row["paging"].text),
                    .count(depth["from"].integer), .count(depth["pages"].integer),
                    .number(
                        Double(depth["rowsScanned"].integer) / Double(depth["pages"].integer)),
                    .duration(depth["nsPerPage"].integer),
                ]
            }
        }
        guard !rows.isEmpty else { return nil }
        let headings = ["population", "by", "items before", "pages", "rows a page", "time a page"]
        return DataTable(headings: headings, rows: rows).markup(isSortable: true)
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
