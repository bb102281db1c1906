import SquallFormat

/// Where every wire call came from.
struct RetryPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Retries"
    let note =
        "Every attempt has one cause: a step asked for it, an earlier attempt failed, or a token"
        + " had to be refreshed. The parts add up to all wire calls."
    let absence = "No attempt was sent."

    var content: [Markup] {
        let view = run.summary["retryView"]
        let tree = CallLine.lines(of: view["tree"])
        guard let all = tree.first?.calls, all > 0 else { return [] }
        return [factor].compactMap { $0 } + [figure(tree, all)]
            + attempts(view["attempts"].elements) + budgets(view["budget"])
    }

    private var factor: Markup? {
        guard let all = run.rates(["requests"]), let first = run.rates(["sent_first"]),
            let chart = run.chart("Attempts for each first try")
        else { return nil }
        let factor = zip(all, first).map { all, first in first > 0 ? all / first : 0 }
        var filled = chart
        filled.lines = [.init(name: "attempts for each first try", kind: "retry", values: factor)]
        return filled.plot.markup
    }

    private func figure(_ tree: [CallLine], _ all: Int64) -> Markup {
        let rows = tree.map { line -> [DataTable.Cell] in
            let share = Double(line.calls) / Double(all)
            return [
                .indented(line.name, depth: line.depth), .count(line.calls), .percent(share),
                .bar(share, line.depth == 0 ? "fill-quiet" : "fill-retry"),
            ]
        }
        let table = DataTable(headings: ["wire calls", "count", "share", ""], rows: rows)
        return Markup(
            "figure", [:],
            [
                Markup("figcaption", [:], [Markup("strong", "Where every wire call came from")]),
                table.markup(),
            ])
    }

    private func budgets(_ budget: JSON) -> [Markup] {
        guard budget != .null else { return [] }
        let (granted, asked) = (budget["granted"].integer, budget["asked"].integer)
        let table = DataTable(
            headings: ["asked for", "granted", "share"],
            rows: [
                [
                    .count(asked), .count(granted),
                    .percent(Ratio(part: granted, whole: asked).quotient),
                ]
            ])
        return [Markup("h3", "Retries from budgets"), table.markup()]
    }

    private func attempts(_ attempts: [JSON]) -> [Markup] {
        guard !attempts.isEmpty else { return [] }
        let table = DataTable(
            headings: ["attempt", "ended", "succeeded", "share"],
            rows: attempts.enumerated().map { number, attempt in
                let (succeeded, ended) = (attempt["succeeded"].integer, attempt["ended"].integer)
                return [
                    .count(Int64(number + 1)), .count(ended), .count(succeeded),
                    .percent(ended == 0 ? nil : Double(succeeded) / Double(ended)),
                ]
            })
        return [Markup("h3", "Success by attempt"), table.markup()]
    }
}

/// One line of the tree of wire calls, as `summary.json` holds it.
struct CallLine {
    let depth: Int
    let name: String
    let calls: Int64

    /// The tree from the top, line by line; parts without calls are left out.
    static func lines(of node: JSON, depth: Int = 0) -> [CallLine] {
        guard node["calls"].integer > 0 else { return [] }
        let line = CallLine(depth: depth, name: node["name"].text, calls: node["calls"].integer)
        return [line] + node["children"].elements.flatMap { lines(of: $0, depth: depth + 1) }
    }
}
