import SquallFormat

/// What the model takes for granted, and what was done to it on purpose.
struct AssumptionPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Assumptions and faults"
    let note = "What the model takes for granted, and what was done to the server on purpose."
    let absence = "The run names no assumptions."

    var content: [Markup] {
        let assumptions = run.summary["assumptions"].elements.map { Markup("li", $0.text) }
        return (assumptions.isEmpty ? [] : [Markup("ul", [:], assumptions)]) + faults
    }

    private var faults: [Markup] {
        let faults = run.summary["triggers"].elements
        guard !faults.isEmpty else { return [Markup("p", "Nothing was done to the server.")] }
        let table = DataTable(
            headings: ["from", "to", "fault", "useful steps/s before", "at the end", "recovered"],
            rows: faults.map { fault in
                let recovery = fault["recoveredAfterNs"]
                return [
                    .duration(fault["startNs"].integer), .duration(fault["endNs"].integer),
                    .text(fault["name"].text), .number(fault["goodputBefore"].number),
                    .number(fault["goodputAfter"].number),
                    recovery == .null
                        ? .mark(!fault["isMetastable"].isTrue, "not within the run")
                        : .duration(recovery.integer),
                ]
            })
        return [Markup("h3", "Fault plan"), table.markup()]
    }
}
