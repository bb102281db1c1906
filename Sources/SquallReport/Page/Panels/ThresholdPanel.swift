import SquallFormat

/// What was expected of the run, and by how much it held.
struct ThresholdPanel: Panel {
    private let results: [JSON]

    init(_ run: SavedRun) { results = run.summary["thresholds"].elements }

    let title = "Thresholds"
    let note = "The margin is the distance to the limit as a share of the limit."
    let absence = "The profile expects nothing of the run."

    var content: [Markup] {
        guard !results.isEmpty else { return [] }
        let table = DataTable(
            headings: ["metric", "expected", "observed", "margin", ""],
            rows: results.map { result in
                let margin = result["margin"].number
                return [
                    .mark(result["ok"].isTrue, result["metric"].text),
                    .text(result["expression"].text), observed(result), .percent(margin),
                    .bar(margin?.magnitude ?? 0, result["ok"].isTrue ? "fill-good" : "fill-bad"),
                ]
            })
        return [table.markup()]
    }

    private func observed(_ result: JSON) -> DataTable.Cell {
        guard let quantity = Quantity(result["observed"], unit: result["unit"].text) else {
            return .text("no samples")
        }
        return DataTable.Cell(
            content: [.text(quantity.description)], key: "\(quantity.magnitude)", kind: "n")
    }
}
