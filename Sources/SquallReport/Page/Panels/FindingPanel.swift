import SquallFormat

/// What was found to be broken or never put to the test, and the steps that never ended.
struct FindingPanel: Panel {
    private let findings: [Finding]
    private let hangs: HangList

    init(_ run: SavedRun) {
        findings = run.summary.findings
        hangs = run.summary.hangs
    }

    let title = "Findings"
    let note =
        "What no client should do, whatever its design, and what the run is about and never did."
    let absence = "No rule that holds for every client was broken, and every step ended."

    var content: [Markup] {
        let list = findings.map { finding in
            Markup(
                "li", [:],
                [Markup("strong", finding.label), .text(" " + finding.detail)])
        }
        return (list.isEmpty ? [] : [Markup("ul", ["class": "findings"], list)]) + hangTable
    }

    private var hangTable: [Markup] {
        let named = hangs.named
        guard !named.isEmpty else { return [] }
        let table = DataTable(
            headings: ["user", "from", "journey", "step", "request", "lost in"],
            rows: named.map { hang in
                [
                    .count(hang.user), .duration(hang.startNanoseconds), .text(hang.journey),
                    .text(hang.step), .text(hang.request), .text(hang.lostIn),
                ]
            })
        let total = Units.grouped(hangs.total)
        let title = "Steps that never ended: \(total), of which the first \(named.count)"
        return [Markup("h3", title), table.markup(isSortable: true)]
    }
}
