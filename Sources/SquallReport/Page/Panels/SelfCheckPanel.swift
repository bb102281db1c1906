import SquallFormat

/// The laws that hold in any sound run.
struct SelfCheckPanel: Panel {
    private let checks: [SelfCheck]

    init(_ run: SavedRun) { checks = run.summary.selfChecks }

    let title = "Self-checks"
    let note =
        "Laws that hold however bad the client is; one that is broken makes the run worthless."
    let absence = "The run was not checked against itself."

    var content: [Markup] {
        guard !checks.isEmpty else { return [] }
        let table = DataTable(
            headings: ["law", "both sides"],
            rows: checks.map { check in
                [.verdict(check.ok, check.name), .prose(check.detail)]
            })
        let broken = checks.count { !$0.ok }
        let line =
            broken == 0
            ? "✓ All \(checks.count) laws hold" : "✗ \(broken) of \(checks.count) laws are broken"
        let body = [Markup("summary", line), table.markup()]
        return [
            broken == 0
                ? Markup("details", ["class": "laws"], body)
                : Markup("details", ["class": "laws", "open": "open"], body)
        ]
    }
}
