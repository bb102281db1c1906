import SquallFormat

extension AnswerDocument {
    /// The answer on one page that needs no network and no script.
    public var html: String {
        let body = Markup(
            "body", [:],
            [
                Markup("main", [:], [header] + sections.map { $0.markup(of: nil) }),
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
}

extension AnswerMap {
    var markup: Markup {
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

    var plot: Plot? {
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

    private func table(_ axis: Axis) -> Table {
        let places = Set(series.flatMap(\.points).map(\.place)).sorted()
        return Table(
            places: places.map(axis.place),
            places.map { place in
                [Column(horizontalName, .number)(place)]
                    + series.map { series in
                        Column(series.name, isDuration ? .duration : .number)(
                            series.points.first { $0.place == place }?.height)
                    }
            })
    }
}
