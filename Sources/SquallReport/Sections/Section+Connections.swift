import SquallFormat

/// What connections cost and what their ends did, where a run sets them up.
extension Section {
    static func connections(_ summary: RunSummary) -> Section {
        let peak = summary.total(of: .settingUp)?.level?.maximum ?? 0
        return Section(
            "Connections",
            note: "A request is lost with its connection, and repeated by the client's network"
                + " before the app learns of it.",
            absence: "No connection was set up.",
            [
                .table(
                    Table(summary.series(of: .connectionsOpened).map { counts(summary, $0) })
                        .inBrief),
                .sentence("At most \(Units.grouped(peak)) were being set up at once."),
                .table(Table("Parts of an attempt's time", names: 2, parts(summary)).inBrief),
                .table(
                    Table(
                        "Time to the first screen",
                        summary.series(of: .launchDuration).map { row($0, Column.launches) }
                    ).inBrief),
            ], drawn: coldStarts(summary))
    }

    /// One for each population that has shown a first screen.
    private static func coldStarts(_ summary: RunSummary) -> [Markup] {
        summary.series(of: .launchDuration).compactMap { launch in
            guard let population = launch.tags[.population], let mean = launch.latency?.mean,
                launch.latency?.count ?? 0 > 0
            else { return nil }
            let parts = partsInOrder(summary, of: population).compactMap { found in
                found.tags[.part].flatMap { name in
                    found.latency.map { (name: name, nanoseconds: $0.mean) }
                }
            }
            return ColdStart(population: population, parts: parts, launch: mean).markup
        }
    }

    private static func counts(_ summary: RunSummary, _ opened: MetricSummary) -> [Cell] {
        let count = { (metric: Metric) in
            summary.series(of: metric).first { $0.tags == opened.tags }?.count ?? 0
        }
        return [
            Column.population(opened.tags[.population] ?? ""),
            Column.opened(opened.count ?? 0), Column.reused(count(.connectionsReused)),
            Column.endedUnderWay(count(.connectionsEnded)),
            Column.lostWithConnection(count(.requestsLost)),
            Column.repeatedBelow(count(.requestsRepeated)),
            Column.doneTwice(count(.requestsDoneTwice)),
        ]
    }

    private static func parts(_ summary: RunSummary) -> [[Cell]] {
        summary.series(of: .connectionsOpened).compactMap { $0.tags[.population] }.flatMap {
            partsInOrder(summary, of: $0).map { found in
                var cells = row(found, Column.partCount)
                cells.insert(Column.part(found.tags[.part] ?? ""), at: 1)
                return cells
            }
        }
    }

    /// In the order in which they pass; a part that took no time has no row.
    private static func partsInOrder(
        _ summary: RunSummary, of population: String
    ) -> [MetricSummary] {
        let series = summary.series(of: .requestPart)
        return (Metric.requestPart.values[.part] ?? []).flatMap { part in
            series.filter {
                $0.tags[.part] == part && $0.tags[.population] == population
                    && ($0.count ?? 0) > 0
            }
        }
    }

    private static func row(_ series: MetricSummary, _ count: Column) -> [Cell] {
        let times = series.latency
        return [
            Column.population(series.tags[.population] ?? ""), count(times?.count),
            Column.partMean(times?.mean), Column.partMedian(times?.p50),
            Column.partP95(times?.p95),
        ]
    }
}
