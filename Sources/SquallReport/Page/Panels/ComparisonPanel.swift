import SquallFormat

/// What the same app goes through as it was built and on the reference design.
struct ComparisonPanel: Panel {
    private let pairs: [(built: PopulationRow, reference: PopulationRow)]

    init(_ run: SavedRun) {
        let rows = run.summary.populations
        pairs = rows.filter { $0.design != "reference" }.compactMap { built in
            rows.first { $0.app == built.app && $0.design == "reference" }.map { (built, $0) }
        }
    }

    let title = "As built and on the reference design"
    let note =
        "The same app with the same habits on both designs, side by side. The longer of two bars is"
        + " the worse."
    let absence = "No app runs in both designs here; give one a second population to compare."

    var content: [Markup] {
        let rows = pairs.flatMap { pair in
            Measure.all.compactMap { row(of: $0, pair.built, pair.reference) }
        }
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: ["population", "what", "as built", "", "reference", ""], rows: rows)
        return [table.markup()]
    }

    private struct Measure: Sendable {
        let name: String
        let value: @Sendable (PopulationRow) -> Double?
        var isCount = true

        static let all = [
            Measure(name: "refreshes per expiry", value: { $0.refreshesPerExpiry }, isCount: false),
            Measure(
                name: "refreshes/s at the peak", value: { $0.peakRefreshesPerSecond },
                isCount: false),
            Measure(name: "steps that failed", value: { Double($0.failedSteps) }),
            Measure(name: "steps that never ended", value: { Double($0.hangs) }),
            Measure(name: "people signed out", value: { Double($0.signOuts) }),
            Measure(name: "wasted attempts", value: { Double($0.wastedAttempts) }),
        ]

        func cell(_ number: Double?) -> DataTable.Cell {
            isCount ? .count(Int64(number ?? 0)) : .number(number)
        }
    }

    /// Nothing where there is nothing to see in either.
    private func row(
        of measure: Measure, _ built: PopulationRow, _ reference: PopulationRow
    ) -> [DataTable.Cell]? {
        let (one, other) = (measure.value(built), measure.value(reference))
        let most = max(one ?? 0, other ?? 0)
        guard most > 0 else { return nil }
        return [
            .text(built.name), .text(measure.name), measure.cell(one),
            bar(one ?? 0, beside: other ?? 0), measure.cell(other),
            bar(other ?? 0, beside: one ?? 0),
        ]
    }

    /// As long as it is beside the other, in the colour of the worse or the better of the two.
    private func bar(_ one: Double, beside other: Double) -> DataTable.Cell {
        let colour = one == other ? "fill-quiet" : one > other ? "fill-bad" : "fill-good"
        return .bar(one / max(one, other), colour)
    }
}
