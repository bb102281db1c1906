import SquallFormat

extension DrillReport {
    /// The report as one page that needs no network and no script; nothing of it depends on the
    /// time at which it was made.
    public var html: String { DrillPage(self).text }
}

/// A report of drills as a page: the table, and for each broken promise what happens beside an
/// order of events that keeps it.
private struct DrillPage {
    private let report: DrillReport
    private let words: DrillText

    init(_ report: DrillReport) {
        self.report = report
        words = DrillText(report)
    }

    var text: String {
        let head = Markup(
            "head", [:],
            [
                Markup("meta", ["charset": "utf-8"]),
                Markup(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                Markup("title", "\(title) · drill · Squall"),
                Markup("style", [:], [.verbatim(SchedulePageStyle.source + DrillPage.style)]),
            ])
        let parts =
            report.preparation.problem == nil
            ? [table] + words.drills.compactMap(section) + [coverage] : []
        let body = Markup("body", [:], [Markup("main", [:], [header] + parts)])
        return "<!doctype html>\n" + Markup("html", ["lang": "en"], [head, body]).source
    }

    private var title: String { report.ground.name ?? "client" }

    private var header: Markup {
        let (style, verdict) =
            report.passes
            ? ("passed", "✓ passes")
            : report.broken.isEmpty
                ? ("unjudged", "? not judged") : ("failed", "✗ breaks promises")
        let statement =
            report.preparation.problem.map { "Nothing was asked: \($0)" } ?? words.head
        return Markup(
            "header", ["class": style],
            [
                Markup("p", ["class": "brand"], "Squall · a drill of refresh code"),
                Markup(
                    "h1", [:],
                    [Markup("span", ["class": "verdict"], verdict), .text(" " + title)]),
                Markup("p", ["class": "statement"], statement),
            ] + words.warnings.map { Markup("p", ["class": "order"], $0) })
    }

    // MARK: The table

    private var table: Markup {
        let head = Markup(
            "tr", [:],
            (["drill"] + words.servers.map(\.name)).map { Markup("th", ["scope": "col"], $0) })
        let rows = words.drills.map { drill in
            let isBroken = words.cells(of: drill).contains { $0.broken != nil }
            let name: Markup =
                isBroken
                ? Markup("a", ["href": "#\(drill.id)"], drill.name) : .text(drill.name)
            return Markup(
                "tr", [:],
                [Markup("th", ["scope": "row", "title": drill.promise], [name])]
                    + words.cells(of: drill).map(cell))
        }
        let notes = words.remarks.filter { !$0.isEmpty }.map { Markup("p", ["class": "note"], $0) }
        return Markup(
            "section", [:],
            [
                Markup("h2", "What was asked"),
                Markup(
                    "div", ["class": "scroll"],
                    [Markup("table", ["class": "drills"], [head] + rows)]),
            ] + notes)
    }

    private func cell(_ cell: DrillReport.Cell) -> Markup {
        let style =
            switch cell.outcome {
            case .passes: "kept"
            case .broken: "broken"
            case .notAsked, .notJudged: "open"
            }
        return Markup(
            "td", ["class": style, "title": cell.reason ?? ""], words.word(cell))
    }

    // MARK: What is broken

    private func section(_ drill: Drill) -> Markup? {
        let broken = words.cells(of: drill).compactMap { cell in
            cell.broken.map { (cell.server, $0) }
        }
        guard let (server, first) = broken.first, let finding = first.findings.first else {
            return nil
        }
        let servers = broken.map(\.0.name).joined(separator: ", ")
        let facts = [
            ("promise", drill.promise), ("source", drill.source), ("order", finding.conditions),
            ("cure", drill.cure),
        ].map { name, value in
            Markup("div", [:], [Markup("dt", name), Markup("dd", value)])
        }
        let found = words.sentences(broken).map { Markup("li", $0) }
        let line = words.replay(drill, server, finding)
        return Markup(
            "section", ["id": drill.id],
            [
                Markup("h2", "✗ \(drill.name): \(servers)"),
                Markup("ul", ["class": "found"], found),
                Markup("dl", ["class": "drill"], facts), pictures(finding, first.kept),
                Markup("p", ["class": "note"], [.text("Play it again: "), Markup("code", line)]),
            ])
    }

    private func pictures(_ finding: Finding, _ kept: Played?) -> Markup {
        let broken = Timeline(finding.played, of: finding.violation)
        var figures = [figure(broken, "What happens")]
        if let kept = finding.needsNoOrder ? kept : finding.twin {
            figures.append(figure(Timeline(kept, of: nil), "The order that keeps it"))
        }
        return Markup("div", ["class": "pair"], figures)
    }

    private func figure(_ timeline: Timeline, _ caption: String) -> Markup {
        Markup(
            "figure", [:],
            [Markup("figcaption", caption), LaneChart(timeline, name: caption).markup])
    }

    private var coverage: Markup {
        let facts = [
            ("schedules of each", "\(report.isReplay ? 1 : report.plan.schedules)"),
            ("window", Units.exact(nanoseconds: report.plan.windowNanoseconds)),
            ("seed", "\(report.plan.seed)"),
        ].map { name, value in
            Markup("div", [:], [Markup("dt", name), Markup("dd", value)])
        }
        return Markup(
            "section", [:], [Markup("h2", "What was looked at"), Markup("dl", [:], facts)])
    }

    private static let style = """

        table.drills { border-collapse: collapse; font-size: 13.5px; width: 100%; }
        .drills th, .drills td { text-align: left; padding: 4px 12px; white-space: nowrap;
          border-bottom: 1px solid var(--grid); } .drills th[scope=row] { font-weight: 500; }
        .drills a { color: inherit; } .drills .kept { color: var(--good); }
        .drills .broken { color: var(--bad); background: var(--broken); font-weight: 600; }
        .drills .open { color: var(--quiet); }
        ul.found { margin: 6px 0; padding-left: 20px; color: var(--bad); font-weight: 600; }
        dl.drill { display: grid; gap: 6px; } dl.drill div { display: flex; gap: 12px; }
        dl.drill dt { flex: 0 0 64px; } dl.drill dd { font-weight: 400; max-width: 90ch; }

        """
}
