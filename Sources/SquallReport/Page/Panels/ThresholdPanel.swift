import SquallFormat

/// What was expected of the run, and by how much it held.
struct ThresholdPanel: Panel {
    private let results: [ThresholdResult]

    init(_ run: SavedRun) { results = run.summary.thresholds }

    let title = "Thresholds"
    let note = "How far inside or beyond its limit each is, as a share of the limit."
    let absence = "Nothing is expected of the run, so there is no verdict on it."

    var content: [Markup] {
        guard !results.isEmpty else { return [] }
        let table = DataTable(
            headings: ["metric", "expected", "observed", "distance", ""],
            rows: results.map { result in
                [
                    .mark(result.ok, result.metric), .text(result.expression),
                    observed(result), .text(result.remark),
                    .bar(result.margin?.magnitude ?? 0, result.ok ? "fill-good" : "fill-bad"),
                ]
            })
        return [table.markup()]
    }

    private func observed(_ result: ThresholdResult) -> DataTable.Cell {
        guard let quantity = result.observed else {
            return .text("no samples")
        }
        return DataTable.Cell(
            content: [.text(quantity.description)], key: "\(quantity.magnitude)", kind: "n")
    }
}
