import SquallFormat

/// What was done to the world on purpose, and whether things became as before.
struct FaultPanel: Panel {
    private let faults: [TriggerRow]
    private let populations: [PopulationRow]

    init(_ run: SavedRun) {
        faults = run.summary.triggers
        populations = run.summary.populations
    }

    let title = "Faults"
    let note =
        "What was done to the server, the network or the tokens on purpose; shaded in every chart"
        + " over time. All together have recovered when each population has."
    let absence = "Nothing was done to the server."

    var content: [Markup] {
        guard !faults.isEmpty else { return [] }
        let table = DataTable(
            headings: ["from", "to", "fault", "useful steps/s before", "at the end", "recovered"],
            rows: faults.map { fault in
                Self.cells(of: fault)
            })
        return [table.markup()] + parts
    }

    /// What each population went through, where there are several.
    private var parts: [Markup] {
        let rows = populations.flatMap { population in
            population.triggers.map { [.text(population.name)] + Self.cells(of: $0) }
        }
        guard populations.count > 1, !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "from", "to", "fault", "useful steps/s before", "at the end",
                "recovered",
            ], rows: rows)
        return [Markup("h3", "Recovery of each population"), table.markup(isSortable: true)]
    }

    private static func cells(of fault: TriggerRow) -> [DataTable.Cell] {
        [
            .duration(fault.startNanoseconds), .duration(fault.endNanoseconds),
            .text(fault.name), .number(fault.goodputBefore), .number(fault.goodputAfter),
            .recovery(fault.recovery),
        ]
    }
}
