/// What the model takes for granted, and what was done to it on purpose.
struct AssumptionPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Assumptions and faults"
    let note = "What the model takes for granted, and what was done to the server on purpose."
    let absence = "The run names no assumptions."

    var content: [Markup] {
        let assumptions = run.summary.assumptions.map { Markup("li", $0) }
        return (assumptions.isEmpty ? [] : [Markup("ul", [:], assumptions)]) + faults
    }

    private var faults: [Markup] {
        let faults = run.summary.triggers
        guard !faults.isEmpty else { return [Markup("p", "Nothing was done to the server.")] }
        let table = DataTable(
            headings: ["from", "to", "fault", "useful steps/s before", "at the end", "recovered"],
            rows: faults.map { fault in
                [
                    .duration(fault.startNanoseconds), .duration(fault.endNanoseconds),
                    .text(fault.name), .number(fault.goodputBefore),
                    .number(fault.goodputAfter), .recovery(fault.recovery),
                ]
            })
        return [Markup("h3", "Fault plan"), table.markup()]
    }
}
