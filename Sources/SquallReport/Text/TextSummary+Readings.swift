import SquallFormat

/// How lists were read page by page.
extension TextSummary {
    /// Three tables with a line for each population, list and way to ask for pages.
    var readings: [String] {
        let rows = summary.readings.map { row in
            [
                name(of: row), Units.approximate(count: row.readings),
                Units.approximate(nanoseconds: row.firstPage.p50),
                row.end.count > 0 ? Units.approximate(nanoseconds: row.end.p50) : "–",
                row.pagesPerSecond.map(Units.threeDigits) ?? "–",
                row.itemsPerSecond.map(Units.threeDigits) ?? "–",
                Units.approximate(count: row.repeated),
                Units.approximate(count: row.missed),
            ]
        }
        let heading = [
            "readers", "first p50", "end p50", "pages/s", "items/s", "twice", "missed",
        ]
        let tables = [
            table("Pagination", heading, rows),
            depths("  rows a page, by items before") { $0.rowsPerPage.map(Units.threeDigits) },
            depths("  time a page, by items before") {
                $0.nanosecondsPerPage.map(Units.approximate(nanoseconds:))
            },
        ]
        return tables.flatMap { $0 }
    }

    private func depths(_ title: String, _ value: (ReadingRow.Depth) -> String?) -> [String] {
        let rows = summary.readings.map { row in
            [name(of: row)] + row.depths.map { value($0) ?? "–" }
        }
        guard !rows.isEmpty else { return [] }
        var table = TextTable()
        table.append([title] + ["<100", "<1k", "<10k", "<100k", "more"])
        rows.forEach { table.append(["    " + $0[0]] + $0.dropFirst()) }
        return table.blocks(width: width).flatMap { $0 }
    }

    /// The list is named where a population reads several in the same way.
    private func name(of row: ReadingRow) -> String {
        let others = summary.readings.filter {
            $0.population == row.population && $0.paging == row.paging
        }
        let parts = [row.population] + (others.count > 1 ? [row.endpoint] : []) + [row.paging]
        return parts.joined(separator: " · ").visible
    }
}
