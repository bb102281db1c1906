import SquallFormat

/// What the model takes for granted.
struct AssumptionPanel: Panel {
    private let assumptions: [String]

    init(_ run: SavedRun) { assumptions = run.summary.assumptions }

    let title = "Assumptions"
    let note = "What the model takes for granted."
    let absence = "The run names no assumptions."

    var content: [Markup] {
        guard !assumptions.isEmpty else { return [] }
        return [Markup("ul", [:], assumptions.map { Markup("li", $0) })]
    }
}
