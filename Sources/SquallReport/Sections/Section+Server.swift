import SquallFormat

extension Section {
    static func server(_ summary: RunSummary) -> Section {
        let server = summary.server.flatMap { $0.received > 0 ? $0 : nil }
        return Section(
            "Server",
            note: "Utilisation and queue lengths cover the measured time without the drain.",
            absence: "No request reached the server.", server.map(stations) ?? [])
    }

    private static func stations(_ server: ServerView) -> [Block] {
        let whole = [
            Column.station("server"), Column.workers(Double(server.workers)),
            Column.busy(server.utilisation), Column.line(server.meanQueue),
            Column.longestLine(server.longestQueue), Column.meanWait(server.waitNanoseconds.mean),
            Column.p95Wait(server.waitNanoseconds.p95), Column.p99Wait(server.waitNanoseconds.p99),
        ]
        let pools = server.pools.map { pool in
            [
                Column.station("pool \(pool.words)"), Column.workers(pool.meanWorkers),
                Column.busy(pool.utilisation), Column.line(pool.meanQueue),
                Column.longestLine(pool.longestQueue), Column.meanWait.none, Column.p95Wait.none,
                Column.p99Wait.none,
            ]
        }
        let database = server.database.map { database in
            [
                Column.station("database"), Column.connections(database.connections),
                Column.inUse(database.meanBusy), Column.line(database.meanQueue),
                Column.longestLine(database.longestQueue),
                Column.meanWait(database.waitNanoseconds.mean),
                Column.p95Wait(database.waitNanoseconds.p95),
                Column.p99Wait(database.waitNanoseconds.p99),
            ]
        }
        let hasWaits = server.queues.contains { $0.longestQueue > 0 || $0.rejected > 0 }
        let lines = server.queues.map { line in
            [
                Column.endpoint(line.endpoint), Column.served(line.served),
                Column.meanWait(line.meanWaitNanoseconds),
                Column.longestWait(line.longestWaitNanoseconds),
                Column.longestLine(line.longestQueue), Column.rejected(line.rejected),
                Column.abandoned(line.abandoned),
            ]
        }
        let abandoned = server.abandoned
        let queries = server.database.map {
            "\(Units.grouped($0.queries)) queries read \(Units.grouped($0.rows)) rows"
        }
        return [
            .table(Table([whole] + pools)),
            .sentence(
                "\(Units.grouped(server.received)) requests received,"
                    + " \(Units.grouped(server.replied)) responses sent"
                    + (abandoned > 0
                        ? ", \(Units.grouped(abandoned)) dropped: their clients had gone" : "")),
            .table(Table("Database", database.map { [$0] } ?? [])), .sentence(queries ?? ""),
            .table(Table("Waiting for a worker", lines).onPage(if: !hasWaits)),
        ]
    }

    static func pagination(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        let hasPages = (summary.total(of: .pages)?.count ?? 0) > 0
        return Section(
            "Pagination",
            note: "Pages of lists and their items per second of virtual time; then lists that users"
                + " read from the first page on without a break.",
            absence: "No page of a list was read in this run.",
            [
                .table(pages(summary)), .table(inBrief(readings(summary.readings), of: summary)),
                .table(inBrief(depths(summary.readings), of: summary)),
            ], of: run
        ) { run in
            let chart =
                hasPages
                ? run.chart(
                    "Items and pages per second",
                    lines: [
                        ChartColumn(.items, label: "items", kind: "first"),
                        ChartColumn(.pages, label: "pages", kind: "goodput"),
                    ]) : nil
            return [chart?.plot.markup].compactMap(\.self)
        }
    }

    /// The table, shown in the brief text, too, where a run is about reading lists.
    private static func inBrief(_ table: Table, of summary: RunSummary) -> Table {
        summary.readings.contains(where: \.isDeep) ? table.inBrief : table
    }

    private static func pages(_ summary: RunSummary) -> Table {
        let items = summary.series(of: .items)
        return Table(
            names: 2,
            summary.series(of: .pages).map { series in
                let shown = items.first { $0.tags == series.tags }
                let (pages, count) = (series.count ?? 0, shown?.count ?? 0)
                return [
                    Column.population(series.tags[.population] ?? ""),
                    Column.list(series.tags[.endpoint] ?? ""), Column.pages(pages),
                    Column.items(count),
                    Column.itemsPerPage(Ratio(part: count, whole: pages).quotient),
                    Column.pageRate(series.rate), Column.itemRate(shown?.rate),
                ]
            })
    }

    /// The results for readers of lists; each row is one population with one way to read one list.
    private static func readings(_ rows: [ReadingRow]) -> Table {
        Table(
            "Lists read from the first page on", names: 3,
            rows.map { row in
                [
                    Column.population(row.population), Column.list(row.endpoint),
                    Column.paging(row.paging), Column.readers(row.counts.readings),
                    Column.firstPage(row.firstPageNanoseconds.p50),
                    Column.lastPage(row.endNanoseconds.p50, of: row.endNanoseconds),
                    Column.readerPages(row.pagesPerSecond), Column.readerItems(row.itemsPerSecond),
                    Column.twice(row.counts.repeated), Column.missed(row.counts.missed),
                ]
            })
    }

    /// The cost of a page by the number of items that its reader already had.
    private static func depths(_ rows: [ReadingRow]) -> Table {
        Table(
            "Cost of a page by the number of items before it", names: 4,
            rows.flatMap { row in
                row.depths.filter { $0.pages > 0 }.map { depth in
                    [
                        Column.population(row.population), Column.list(row.endpoint),
                        Column.paging(row.paging), Column.depth(depth.from),
                        Column.pagesThere(depth.pages), Column.rowsPerPage(depth.rowsPerPage),
                        Column.timePerPage(depth.meanPageNanoseconds),
                    ]
                }
            })
    }
}

extension ServerView.Pool {
    /// Its name; without one, a description.
    var words: String { name.isEmpty ? "all other calls" : name }
}
