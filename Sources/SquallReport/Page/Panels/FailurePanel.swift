import SquallFormat

/// Why steps and attempts fail, and the steps that never ended.
struct FailurePanel: Panel {
    private let summary: RunSummary

    init(_ run: SavedRun) { summary = run.summary }

    let title = "Failures"
    let note =
        "What people saw in place of what they came for, and after which call; what came back from"
        + " endpoints, answers \u{201c}expired\u{201d} left out; and steps that never ended."
    let absence = "No step and no attempt failed, and every step ended."

    var content: [Markup] { steps + calls + hangs }

    private var steps: [Markup] {
        guard !summary.stepFailures.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "journey", "step", "the person saw", "after", "status", "count",
                "the first",
            ],
            rows: summary.stepFailures.map { row in
                [
                    .text(row.population), .text(row.journey), .text(row.step), .text(row.outcome),
                    .text(row.endpoint.isEmpty ? "no call failed" : row.endpoint),
                    .text(row.status), .count(row.count),
                    first(row.user, row.atNanoseconds),
                ]
            })
        return [Markup("h3", "Why steps fail"), table.markup(isSortable: true)]
    }

    private var calls: [Markup] {
        guard !summary.callFailures.isEmpty else { return [] }
        let table = DataTable(
            headings: ["population", "endpoint", "path", "status", "count", "the first"],
            rows: summary.callFailures.map { row in
                [
                    .text(row.population), .text(row.endpoint), .text(row.path), .text(row.status),
                    .count(row.count), first(row.user, row.atNanoseconds),
                ]
            })
        return [Markup("h3", "Why attempts fail"), table.markup(isSortable: true)]
    }

    private func first(_ user: Int64, _ moment: Int64) -> DataTable.Cell {
        .text("user \(user) at \(Units.approximate(nanoseconds: moment))")
    }

    private var hangs: [Markup] {
        let named = summary.hangs.named
        guard !named.isEmpty else { return [] }
        let table = DataTable(
            headings: ["user", "from", "population", "journey", "step", "request", "lost in"],
            rows: named.map { hang in
                [
                    .count(hang.user), .duration(hang.startNanoseconds), .text(hang.population),
                    .text(hang.journey), .text(hang.step), .text(hang.request),
                    .text(hang.lostIn),
                ]
            })
        let total = Units.grouped(summary.hangs.total)
        let title = "Steps that never ended: \(total), of which \(named.count) are named"
        return [Markup("h3", title), table.markup(isSortable: true)]
    }
}
