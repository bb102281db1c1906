import SquallFormat

/// What each population went through, side by side.
struct PopulationPanel: Panel {
    private let rows: [JSON]

    init(_ run: SavedRun) { rows = run.summary["populations"].elements }

    let title = "Populations"
    let note =
        "One refresh for each expiry is ideal. Wasted calls served nobody: their request failed in"
        + " the end, or they refreshed a token that was already new."
    let absence = "Nobody took part."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "app", "design", "users", "expiries", "refreshes each", "peak/s",
                "419s", "steps", "failed", "never ended", "signed out", "wasted calls", "recovered",
            ],
            rows: rows.map { row in
                let steps = ["steps", "failedSteps", "hangs", "signOuts", "wastedCalls"]
                return [
                    .text(row["name"].text), .text(row["app"].text), .text(row["design"].text),
                    .count(row["users"].integer), .count(row["expiries"].integer),
                    .number(row["refreshesPerExpiry"].number),
                    .number(row["peakRefreshesPerSecond"].number),
                    .count(row["expiredAnswers"].integer),
                ] + steps.map { .count(row[$0].integer) } + [recovery(row["triggers"].elements)]
            })
        return [table.markup(isSortable: true)]
    }

    /// The longest recovery from a fault, or that there was one without a recovery.
    private func recovery(_ triggers: [JSON]) -> DataTable.Cell {
        let spans = triggers.map { $0["recoveredAfterNs"] }
        guard !spans.isEmpty else { return .text("–") }
        if spans.contains(.null) { return .mark(false, "not within the run") }
        return .duration(spans.map(\.integer).max() ?? 0)
    }
}
