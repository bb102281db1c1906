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
        let storms = run.summary["storms"].elements
        let expiries = run.summary["expiries"].elements
        guard !storms.isEmpty || !expiries.isEmpty else { return [] }
        return [chart].compactMap { $0 } + windows + table(ofStorms: storms)
            + table(ofExpiries: expiries)
    }

    private var chart: Markup? {
        run.chart(
            "Expired answers and refreshes per second",
            lines: [
                ChartColumn("answers_419", label: "answered “expired” (419)", kind: "retry"),
                ChartColumn("refreshes", label: "refreshes", kind: "refresh"),
            ])?.plot.markup
    }

    /// When refreshes came in storms, and how long until that was over.
    private var windows: [Markup] {
        let windows = run.summary["stormView"]["windows"].elements
        guard !windows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "from", "peak at", "to", "refreshes", "peak/s", "requests held", "signed out",
                "recovered after",
            ],
            rows: windows.map { window in
                let recovery = window["recoveredAfterNs"]
                return ["startNs", "peakNs", "endNs"].map { .duration(window[$0].integer) } + [
                    .count(window["refreshes"].integer), .number(window["peakPerSecond"].number),
                    .count(window["held"].integer), .count(window["signOuts"].integer),
                    recovery == .null ? .text("–") : .duration(recovery.integer),
                ]
            })
        return [Markup("h3", "Storms of refreshes"), table.markup(isSortable: true)]
    }

    private func table(ofStorms storms: [JSON]) -> [Markup] {
        guard !storms.isEmpty else { return [] }
        let worst = storms.compactMap(\.refreshesEach).max() ?? 1
        let table = DataTable(
            headings: [
                "app", "journey", "step", "began expired", "refreshes", "each", "", "retries",
                "signed out",
            ],
            rows: storms.map { storm in
                [
                    .text(storm["app"].text), .text(storm["journey"].text),
                    .text(storm["step"].text), .count(storm["expiredSteps"].integer),
                    .count(storm["refreshes"].integer),
                    .number(storm.refreshesEach),
                    .bar((storm.refreshesEach ?? 0) / max(1, worst), "fill-refresh"),
                    .count(storm["retries"].integer), .count(storm["sessionsLost"].integer),
                ]
            })
        return [
            Markup("h3", "Steps that met an expired token"), table.markup(isSortable: true),
        ]
    }

    private func table(ofExpiries expiries: [JSON]) -> [Markup] {
        guard !expiries.isEmpty else { return [] }
        let table = DataTable(
            headings: ["app", "endpoint", "answered “expired”", "refreshes caused", ""],
            rows: expiries.map { row in
                let isSilent = row["refreshes"].integer == 0
                return [
                    .text(row["app"].text), .text(row["endpoint"].text),
                    .count(row["expiredAnswers"].integer), .count(row["refreshes"].integer),
                    isSilent ? .mark(false, "never refreshes") : .text(""),
                ]
            })
        return [
            Markup("h3", "Which endpoints' answers led to a refresh"),
            table.markup(isSortable: true),
        ]
    }
}

extension JSON {
    fileprivate var refreshesEach: Double? {
        let expired = self["expiredSteps"].integer
        return expired == 0 ? nil : Double(self["refreshes"].integer) / Double(expired)
    }
}
