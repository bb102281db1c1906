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
        let tree = CallTree(run.series(of: .requests))
        guard tree.count > 0 else { return [] }
        return [factor].compactMap { $0 } + [figure(tree)]
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

    private func figure(_ tree: CallTree) -> Markup {
        let rows = tree.lines.map { line -> [DataTable.Cell] in
            let share = Double(line.node.count) / Double(tree.count)
            return [
                .indented(line.node.name, depth: line.depth), .count(line.node.count),
                .percent(share),
                .bar(share, line.kind),
            ]
        }
        let table = DataTable(headings: ["wire calls", "count", "share", ""], rows: rows)
        return Markup(
            "figure", [:],
            [
                Markup(
                    "figcaption", [:],
                    [Markup("strong", "Wire calls by cause, endpoint and answer")]),
                table.markup(),
            ])
    }
}

/// Wire calls by cause, then endpoint, then answer; each part is the sum of its own parts.
struct CallTree {
    let name: String
    let count: Int64
    let parts: [CallTree]

    /// A tree of the series of ``Metric/requests``.
    init(_ series: [JSON]) {
        self.init("all wire calls", series, by: ["cause", "endpoint", "status"][...])
    }

    private init(_ name: String, _ series: [JSON], by tags: ArraySlice<String>) {
        self.name = name
        count = series.reduce(0) { $0 + $1["values"]["count"].integer }
        guard let tag = tags.first else {
            parts = []
            return
        }
        let groups = Dictionary(grouping: series) { $0["tags"][tag].text }
        let parts = groups.map { CallTree($0.key, $0.value, by: tags.dropFirst()) }
        self.parts = parts.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// The tree from the top, line by line; the style of a line is that of its cause.
    var lines: [(depth: Int, node: CallTree, kind: String)] {
        [(0, self, "fill-quiet")]
            + parts.flatMap { cause in
                cause.lines(depth: 1).map { ($0.depth, $0.node, "fill-\(cause.name)") }
            }
    }

    private func lines(depth: Int) -> [(depth: Int, node: CallTree)] {
        [(depth, self)] + parts.flatMap { $0.lines(depth: depth + 1) }
    }
}
