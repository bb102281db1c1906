extension Table {
    /// The table in a frame that scrolls when the page is too narrow.
    public var markup: Markup {
        let head = columns.map { column in
            let name = Markup.text(column.name)
            return Markup(
                "th", ["scope": "col", "class": column.kind],
                [
                    column.meaning.isEmpty
                        ? name : Markup("abbr", ["title": column.meaning], [name])
                ])
        }
        let body = rows.enumerated().map { number, cells in
            guard places.indices.contains(number) else {
                return Markup("tr", [:], cells.map(\.markup))
            }
            return Markup(
                "tr", ["data-at": Markup.number(places[number] * 1_000)], cells.map(\.bareMarkup))
        }
        let isSortable = places.isEmpty && rows.count > 1
        let kind = isSortable ? "sortable" : places.isEmpty ? "plain" : "plain data"
        // On a narrow page each note stands below its row.
        let isNoted = columns.count > 2 && columns.last?.unit == .sentence
        let table = Markup(
            "table",
            isNoted
                ? ["class": kind + " noted", "style": "--figures:\(columns.count - 2)"]
                : ["class": kind],
            [Markup("thead", [:], [Markup("tr", [:], head)]), Markup("tbody", [:], body)])
        let frame = Markup("div", ["class": "scroll", "tabindex": "0"], [table])
        return title.isEmpty ? frame : Markup("div", [:], [Markup("h3", title), frame])
    }
}

extension Column {
    /// The style of the column's cells on the page: text, prose, numbers, bars.
    fileprivate var kind: String {
        switch unit {
        case .words: "t"
        case .sentence: "p"
        case .bar: "b"
        case .count, .duration, .number, .rate, .share: "n"
        }
    }
}

extension Cell {
    fileprivate var markup: Markup {
        guard let number else { return Markup("td", ["class": column.kind], content) }
        let key = Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        return Markup("td", ["class": column.kind, "data-key": key], content)
    }

    /// The cell of a chart's data, of which a page has thousands: numbers, in order of time.
    fileprivate var bareMarkup: Markup { Markup("td", [:], content) }

    private var content: [Markup] {
        guard column.unit != .bar else {
            let width = Markup.number(max(0, min(1, number ?? 0)) * 100)
            return [Markup("i", ["class": "bar \(text)", "style": "width:\(width)%"])]
        }
        return (isGood.map { [Markup.sign($0)] } ?? [])
            + [column.unit == .sentence ? .prose(text) : .text(text)]
    }
}
