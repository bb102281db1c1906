import SquallFormat

/// What was found to be broken, and the steps that never ended.
struct FindingPanel: Panel {
    private let findings: [JSON]
    private let hangs: JSON

    init(_ run: SavedRun) {
        findings = run.summary["findings"].elements
        hangs = run.summary["hangs"]
    }

    let title = "Findings"
    let note = "What no client should do, whatever its design."
    let absence = "Nothing was found to be broken, and every step ended."

    var content: [Markup] {
        let list = findings.map { finding in
            Markup(
                "li", [:],
                [Markup("strong", finding["label"].text), .text(" " + finding["detail"].text)])
        }
        return (list.isEmpty ? [] : [Markup("ul", ["class": "findings"], list)]) + hangTable
    }

    private var hangTable: [Markup] {
        let named = hangs["named"].elements
        guard !named.isEmpty else { return [] }
        let table = DataTable(
            headings: ["user", "from", "journey", "step", "request", "lost in"],
            rows: named.map { hang in
                [
                    .count(hang["user"].integer), .duration(hang["startNs"].integer),
                    .text(hang["journey"].text), .text(hang["step"].text),
                    .text(hang["request"].text), .text(hang["lostIn"].text),
                ]
            })
        let total = Units.grouped(hangs["total"].integer)
        let title = "Steps that never ended: \(total), of which the first \(named.count)"
        return [Markup("h3", title), table.markup(isSortable: true)]
    }
}
