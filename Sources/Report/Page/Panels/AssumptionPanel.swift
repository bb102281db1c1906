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
        let faults = run.summary["faults"].elements
        guard !faults.isEmpty else { return [Markup("p", "Nothing was done to the server.")] }
        let table = DataTable(
            headings: ["at", "fault"],
            rows: faults.map { [.duration($0["atNs"].integer), .text($0["label"].text)] })
        return [Markup("h3", "Fault plan"), table.markup()]
    }
}
