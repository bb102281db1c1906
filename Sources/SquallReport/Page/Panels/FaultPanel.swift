/// What was done to the world on purpose, and whether things became as before.
struct FaultPanel: Panel {
    private let faults: [TriggerRow]

    init(_ run: SavedRun) { faults = run.summary.triggers }

    let title = "Faults"
    let note =
        "What was done to the server, the network or the tokens on purpose; shaded in every chart"
        + " over time."
    let absence = "Nothing was done to the server."

    var content: [Markup] {
        guard !faults.isEmpty else { return [] }
        let table = DataTable(
            headings: ["from", "to", "fault", "useful steps/s before", "at the end", "recovered"],
            rows: faults.map { fault in
                [
                    .duration(fault.startNanoseconds), .duration(fault.endNanoseconds),
                    .text(fault.name), .number(fault.goodputBefore),
                    .number(fault.goodputAfter), .recovery(fault.recovery),
                ]
            })
        return [table.markup()]
    }
}
