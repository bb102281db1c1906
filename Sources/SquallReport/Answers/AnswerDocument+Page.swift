import SquallFormat

extension AnswerDocument {
    /// The answer on one page that needs no network and no script.
    public var html: String {
        let body = Markup(
            "body", [:],
            [
                Markup("main", [:], [header] + sections.map(markup)),
                Markup("script", [:], [.verbatim(PageScript.source)]),
            ])
        let page = Markup("html", ["lang": "en"], [head, body])
        return "<!DOCTYPE html>\n" + page.source
    }

    private var head: Markup {
        Markup(
            "head", [:],
            [
                Markup("meta", ["charset": "utf-8"]),
                Markup(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                Markup("meta", ["name": "color-scheme", "content": "light dark"]),
                Markup("title", "\(subject) · \(kind.lowercased()) · Squall"),
                Markup("style", [:], [.verbatim(PageStyle.source)]),
            ])
    }

    private var header: Markup {
        let verdict = isGood.map { $0 ? "passed" : "failed" } ?? "answered"
        let entries = facts.map { name, value in
            Markup("div", [:], [Markup("dt", name), Markup("dd", value)])
        }
        let points = remarks.map { Markup("li", $0) }
        return Markup(
            "header", ["class": verdict],
            [
                Markup("p", ["class": "brand"], "Squall · \(kind.lowercased()) of \(subject)"),
                Markup("h1", sentence),
            ] + (question.isEmpty ? [] : [Markup("p", ["class": "question"], question)])
                + (points.isEmpty ? [] : [Markup("ul", ["class": "findings"], points)])
                + [
                    Markup("dl", ["class": "facts"], entries),
                    Markup(
                        "p", ["class": "replay"],
                        [.text("Work it out again: "), Markup("code", replayCommand)]),
                ])
    }

    private func markup(_ section: AnswerSection) -> Markup {
        let note = section.note.isEmpty ? [] : [Markup("p", ["class": "note"], section.note)]
        let blocks = section.blocks.compactMap { block -> Markup? in
            switch block {
            case .chart(let chart): chart.plot?.markup
            case .table(let table): table.data.markup(isSortable: true)
            case .map(let map): map.markup
            case .sentence(let text): Markup("p", text)
            }
        }
        return Markup("section", [:], [Markup("h2", section.title)] + note + blocks)
    }
}

extension AnswerTable {
    fileprivate var data: DataTable {
        DataTable(
            headings: headings,
            rows: rows.map { row in
                row.enumerated().map { column, cell in
                    self.cell(cell, isWords: column == 0 || wordColumns.contains(column))
                }
            })
    }

    /// Numbers, and what stands among them, are aligned and stay on one line.
    private func cell(_ cell: Cell, isWords: Bool) -> DataTable.Cell {
        guard isWords, cell.number == nil else {
            return .number(cell.text, sortedBy: cell.number, isGood: cell.isGood)
        }
        return cell.isGood.map { .mark($0, cell.text) } ?? .prose(cell.text)
    }
}

extension AnswerMap {
    private static let shades = 7.0

    fileprivate var markup: Markup {
        let heads = ["\(rowName) ↓  \(columnName) →"] + columns
        let head = heads.map { Markup("th", ["scope": "col", "class": "n"], $0) }
        let body = zip(rows, cells).map { name, cells in
            Markup(
                "tr", [:],
                [Markup("th", ["scope": "row", "class": "t"], name)] + cells.map(Self.markup))
        }
        let table = Markup(
            "table", ["class": "plain"],
            [
                Markup("thead", [:], [Markup("tr", [:], head)]), Markup("tbody", [:], body),
            ])
        return Markup(
            "div", ["class": "scroll", "tabindex": "0"], [Markup("h3", title), table])
    }

    private static func markup(_ cell: Cell) -> Markup {
        let colour = cell.isGood.map { $0 ? "good" : "bad" } ?? "wire"
        let share = Shape.number(min(1, max(0, cell.shade)) * 85)
        let style =
            "background:color-mix(in srgb,var(--\(colour)) \(share)%,transparent)"
        let mark = cell.isGood.map { $0 ? "✓ " : "✗ " } ?? ""
        return Markup(
            "td", ["class": "n", "style": style], mark + cell.text)
    }
}

extension AnswerChart {
    private static let kinds = ["goodput", "wire", "refresh", "retry", "first", "answered"]

    fileprivate var plot: Plot? {
        let places = series.flatMap(\.points).map(\.place) + marks.map(\.place)
        let heights = series.flatMap(\.points).map(\.height)
        guard let widest = places.max(), widest > 0, let highest = heights.max() else { return nil }
        let horizontal = Axis.linear(to: widest, label: Self.label)
        let positive = heights.filter { $0 > 0 }.min() ?? 1
        let vertical =
            isDuration
            ? Axis.durations(from: Int64(positive), to: Int64(highest * 1.2))
            : Axis.linear(to: max(1e-3, highest))
        return Plot(
            title: title,
            legend: zip(series, Self.kinds).map { Plot.Key(name: $0.name, kind: $1) },
            horizontal: horizontal, vertical: vertical,
            marks: marks.map {
                Plot.Mark(place: horizontal.place(of: $0.place), label: $0.label)
            },
            shapes: zip(series, Self.kinds).map { series, kind in
                Shape.line(
                    series.points.map {
                        (horizontal.place(of: $0.place), vertical.place(of: $0.height))
                    }, "line-\(kind)")
            }, table: table(horizontal))
    }

    /// A place along the axis: thousands are grouped as they are everywhere else.
    private static func label(_ place: Double) -> String {
        place < 1_000 ? Units.threeDigits(place) : Units.grouped(Int64(clamped: place.rounded()))
    }

    private func table(_ axis: Axis) -> DataTable {
        let places = Set(series.flatMap(\.points).map(\.place)).sorted()
        return DataTable(
            headings: [horizontalName] + series.map(\.name),
            rows: places.map { place in
                [.number(place)]
                    + series.map { series in
                        let height = series.points.first { $0.place == place }?.height
                        return isDuration
                            ? height.map { .duration(Int64($0)) } ?? .text("–") : .number(height)
                    }
            }, places: places.map(axis.place))
    }
}
