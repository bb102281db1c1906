import SquallFormat

/// What each population went through, side by side.
struct PopulationPanel: Panel {
    private let rows: [PopulationRow]
    private let pairs: [PairRow]
    /// What the column of answers "expired" is called.
    private let expired: String

    init(_ run: SavedRun) {
        rows = run.summary.populations
        pairs = run.summary.pairs
        expired = run.summary.expiredHeading
    }

    let title = "Populations"
    let note =
        "One refresh for each expiry is ideal. Wasted attempts served nobody: their request failed"
        + " in the end, or they refreshed a token that was already new. Recovered is the longest"
        + " time from a fault's end until, for ten seconds, 90 % as many steps succeed as before"
        + " and no peak of refreshes is under way."
    let absence = "Nobody took part."

    var content: [Markup] {
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "app", "users", "expiries", "refreshes per expiry", "peak/s",
                expired, "steps", "failed", "never ended", "signed out", "wasted attempts",
                "recovered",
            ],
            rows: rows.map { row in
                [
                    .text(row.name), .text("\(row.app) · \(row.design)"), .count(row.users),
                    .count(row.expiries), .number(row.refreshesPerExpiry),
                    .number(row.peakRefreshesPerSecond), .count(row.expiredAnswers),
                    .count(row.steps), .count(row.failedSteps), .count(row.hangs),
                    .count(row.signOuts), .count(row.wastedAttempts), .recovery(row.recovery),
                ]
            })
        return [table.markup(isSortable: true)] + differences
    }

    /// How much more the same people had of each thing, on average, with 95 % confidence.
    private var differences: [Markup] {
        guard !pairs.isEmpty else { return [] }
        let table = DataTable(
            headings: ["population", "against", "people"]
                + PairRow.Quantity.allCases.map { "\($0.rawValue) a head" },
            rows: pairs.map { pair in
                [.text(pair.population), .text(pair.against), .count(pair.people)]
                    + pair.differences.map { .text($0.text) }
            })
        return [
            Markup("h3", "The same people on another design: differences with 95 % confidence"),
            table.markup(),
        ]
    }
}
