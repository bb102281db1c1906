import SquallFormat

/// What of the run's beginning is left out, and from when on what was asked about is steady.
struct TransientPanel: Panel {
    private let summary: RunSummary

    init(_ run: SavedRun) { summary = run.summary }

    let title = "Transient"
    let note =
        "MSER-5 ends a series' transient at the point that leaves the mean of the rest with the"
        + " smallest standard error. What settles first says nothing about the rest, so each series"
        + " that a threshold asks about is looked at by itself."
    let absence = "Nobody looked where the run settles."

    var content: [Markup] {
        guard !summary.settling.isEmpty else { return [] }
        let table = DataTable(
            headings: ["series", "settles after"],
            rows: summary.settling.map { [.text($0.series), .text($0.settled)] })
        return [Markup("p", summary.transient.joined(separator: " ")), table.markup()]
    }
}
