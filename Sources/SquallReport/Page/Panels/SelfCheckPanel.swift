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
        return [table.markup()]
    }
}
