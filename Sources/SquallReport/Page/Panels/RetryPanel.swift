import SquallFormat

/// Where every attempt came from.
struct RetryPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Retries"
    let note =
        "Every attempt has one cause: a step asked for it, an earlier attempt failed, or a token"
        + " had to be refreshed. The parts add up to all attempts."
    let absence = "No attempt was sent."

    var content: [Markup] {
        guard let view = run.summary.retry, view.tree.attempts > 0 else { return [] }
        let tree = CallLine.lines(of: view.tree)
        return [factor].compactMap { $0 } + [figure(tree, view.tree.attempts)]
            + attempts(view.attempts) + budget(view.budget)
    }

    private var factor: Markup? {
        guard let all = run.rates([.requests]), let first = run.rates([.firstAttempts]),
            let chart = run.chart("Attempts for each first attempt")
        else { return nil }
        let factor = zip(all, first).map { all, first in first > 0 ? all / first : 0 }
        var filled = chart
        filled.lines = [
            .init(name: "attempts for each first attempt", kind: "retry", values: factor)
        ]
        return filled.plot.markup
    }

    private func figure(_ tree: [CallLine], _ all: Int64) -> Markup {
        let rows = tree.map { line -> [DataTable.Cell] in
            let share = Double(line.attempts) / Double(all)
            return [
                .indented(line.name, depth: line.depth), .count(line.attempts), .percent(share),
                .bar(share, line.depth == 0 ? "fill-quiet" : "fill-retry"),
            ]
        }
        let table = DataTable(headings: ["attempts", "count", "share", ""], rows: rows)
        return Markup(
            "figure", [:],
            [
                Markup("figcaption", [:], [Markup("strong", "Where every attempt came from")]),
                table.markup(),
            ])
    }

    private func budget(_ budget: RetryView.Budget?) -> [Markup] {
        guard let budget else { return [] }
        let table = DataTable(
            headings: ["asked for", "granted", "share"],
            rows: [[.count(budget.asked), .count(budget.granted), .percent(budget.share)]])
        return [Markup("h3", "Retries from budgets"), table.markup()]
    }

    private func attempts(_ attempts: [RetryView.Attempts]) -> [Markup] {
        guard !attempts.isEmpty else { return [] }
        let table = DataTable(
            headings: ["attempt", "ended", "succeeded", "share"],
            rows: attempts.enumerated().map { number, attempt in
                [
                    .count(Int64(number + 1)), .count(attempt.ended), .count(attempt.succeeded),
                    .percent(attempt.share),
                ]
            })
        return [Markup("h3", "Success by attempt"), table.markup()]
    }
}

/// One line of the tree of attempts.
struct CallLine {
    let depth: Int
    let name: String
    let attempts: Int64

    /// The tree from the top, line by line; parts without calls are left out.
    static func lines(of node: CallTree, depth: Int = 0) -> [CallLine] {
        guard node.attempts > 0 else { return [] }
        let line = CallLine(depth: depth, name: node.name, attempts: node.attempts)
        return [line] + node.children.flatMap { lines(of: $0, depth: depth + 1) }
    }
}
