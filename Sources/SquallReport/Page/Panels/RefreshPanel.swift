import SquallFormat

/// What expired tokens did.
struct RefreshPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Token refresh"
    let note =
        "A step that begins on an expired token needs one refresh, whatever its calls. Vertical"
        + " lines mark what was done to the tokens."
    let absence = "No token expired in this run."

    var content: [Markup] {
        let summary = run.summary
        guard !summary.expiredSteps.isEmpty || !summary.expiries.isEmpty else { return [] }
        return [chart].compactMap { $0 } + windows + storms + steps + expiries
    }

    private var chart: Markup? {
        run.chart(
            "Expired answers and refreshes per second",
            lines: [
                ChartColumn(.expired, label: "answered “expired”", kind: "retry"),
                ChartColumn(.refreshes, label: "refreshes", kind: "refresh"),
            ])?.plot.markup
    }

    /// When refreshes came in storms, and how long until that was over.
    private var windows: [Markup] {
        let windows = run.summary.storm?.windows ?? []
        guard !windows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "from", "peak at", "to", "refreshes", "peak/s", "requests held", "signed out",
                "recovered",
            ],
            rows: windows.map { window in
                [
                    .duration(window.startNanoseconds), .duration(window.peakNanoseconds),
                    .duration(window.endNanoseconds), .count(window.refreshes),
                    .number(window.peakPerSecond), .count(window.held), .count(window.signOuts),
                    .recovery(window.recovery),
                ]
            })
        return [Markup("h3", "Peaks of refreshes, as the server saw them"), table.markup()]
    }

    /// The storms of each population, where there are several.
    private var storms: [Markup] {
        let populations = run.summary.populations
        let rows = populations.flatMap { population in
            population.storms.map { storm -> [DataTable.Cell] in
                [
                    .text(population.name), .text(population.design),
                    .duration(storm.startNanoseconds), .duration(storm.endNanoseconds),
                    .count(storm.refreshes), .number(storm.peakPerSecond),
                    .recovery(storm.recovery),
                ]
            }
        }
        guard populations.count > 1, !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: ["population", "design", "from", "to", "refreshes", "peak/s", "recovered"],
            rows: rows)
        return [Markup("h3", "Peaks of each population"), table.markup(isSortable: true)]
    }

    private var steps: [Markup] {
        let rows = run.summary.expiredSteps
        guard !rows.isEmpty else { return [] }
        let worst = rows.compactMap(\.refreshesPerExpiredStep).max() ?? 1
        let table = DataTable(
            headings: [
                "population", "journey", "step", "began expired", "refreshes", "a step", "",
                "retries", "signed out",
            ],
            rows: rows.map { row in
                [
                    .text(row.population), .text(row.journey), .text(row.step),
                    .count(row.expiredSteps), .count(row.refreshes),
                    .number(row.refreshesPerExpiredStep),
                    .bar((row.refreshesPerExpiredStep ?? 0) / max(1, worst), "fill-refresh"),
                    .count(row.retries), .count(row.sessionsLost),
                ]
            })
        return [
            Markup("h3", "Steps that met an expired token"), table.markup(isSortable: true),
        ]
    }

    private var expiries: [Markup] {
        let rows = run.summary.expiries
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: ["population", "endpoint", "answered “expired”", "refreshes caused", ""],
            rows: rows.map { row in
                [
                    .text(row.population), .text(row.endpoint),
                    .count(row.expiredAnswers), .count(row.refreshes),
                    row.neverRefreshes ? .mark(false, "never refreshes") : .text(""),
                ]
            })
        return [
            Markup("h3", "Which endpoints' answers led to a refresh"),
            table.markup(isSortable: true),
        ]
    }
}
