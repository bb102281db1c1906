import SquallFormat

/// Everything that is wrong, the gravest first, each with one user's requests where they show it.
struct FindingPanel: Panel {
    private let summary: RunSummary

    init(_ run: SavedRun) { summary = run.summary }

    let title = "Findings"
    let note =
        "Everything that is wrong, the gravest first. What is marked fails the run whatever is"
        + " expected of it; all else is for the thresholds to judge."
    let absence = "Nothing was found to be wrong."

    var content: [Markup] {
        guard !summary.findings.isEmpty else { return [] }
        let table = DataTable(
            headings: ["what", "population", "in more detail", "for example", "look at"],
            rows: summary.findings.map { finding in
                [
                    .verdict(!finding.failsRun, finding.headline, isShown: finding.failsRun),
                    .prose(finding.population ?? ""), .prose(finding.detail),
                    .prose(finding.example), .link(finding.lookAt),
                ]
            })
        return [table.markup(isStacked: true)] + pictures
    }

    /// What single users went through, each shown once.
    private var pictures: [Markup] {
        var seen: Set<Int64> = []
        let shown = summary.findings.compactMap { finding -> Markup? in
            guard let picture = finding.picture, seen.insert(picture).inserted,
                summary.examples.indices.contains(Int(picture)),
                !summary.examples[Int(picture)].attempts.isEmpty
            else { return nil }
            let example = summary.examples[Int(picture)]
            return Waterfall(example: example, finding: finding.headline)
                .markup(isOpen: seen.count == 1)
        }
        guard !shown.isEmpty else { return [] }
        let note =
            "One user's requests around a finding, from the first answer on that was no success."
            + " A bar is an attempt, its light part the wait for a connection; a dashed line is a"
            + " request that waits to be sent again. t0 is the token of the sign-in, t1 that of the"
            + " first refresh after it."
        return [Markup("h3", "One user's requests"), Markup("p", ["class": "note"], note)] + shown
    }
}
