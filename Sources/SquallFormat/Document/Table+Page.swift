extension Table {
    /// The table in a frame that scrolls when the page is too narrow.
    public var markup: Markup {
        guard places.isEmpty else { return dataMarkup }
        let head = columns.map { column in
            let name = Markup.text(column.name)
            return Markup(
                "th", ["scope": "col", "class": column.kind],
                [
                    column.meaning.isEmpty
                        ? name : Markup("abbr", ["title": column.meaning], [name])
                ])
        }
        let body = rows.map { Markup("tr", [:], $0.map(\.markup)) }
        // A row of words alone may go on from the one above.
        let isSortable = rows.count > 1 && !columns.allSatisfy(\.isOfWords)
        let kind = isSortable ? "sortable" : "plain"
        // On a narrow page each note stands below its row.
        let isNoted = columns.count > 2 && columns.last?.content == .sentence
        let table = Markup(
            "table",
            isNoted
                ? ["class": kind + " noted", "style": "--figures:\(columns.count - 2)"]
                : ["class": kind],
            [Markup("thead", [:], [Markup("tr", [:], head)]), Markup("tbody", [:], body)])
        let frame = Markup("div", ["class": "scroll", "tabindex": "0"], [table])
        return title.isEmpty ? frame : Markup("div", [:], [Markup("h3", title), frame])
    }

    /// The numbers of a chart, of which a page has thousands: as lines with tabs they take a sixth
    /// of the bytes of cells.
    private var dataMarkup: Markup {
        let lines = [columns.map(\.name)] + rows.map { $0.map(\.text) }
        let widest = lines.joined().map(\.count).max() ?? 0
        return Markup(
            "pre",
            [
                "class": "data scroll", "tabindex": "0", "style": "tab-size:\(widest + 2)",
                "data-at": told(places).map { Markup.number(($0 * 1_000).rounded()) }.joined(
                    separator: " "),
            ], lines.map { $0.joined(separator: "\t") }.joined(separator: "\n"))
    }

    /// The first and the last of places that are evenly apart, as those of most charts are; all of
    /// others.
    private func told(_ places: [Double]) -> [Double] {
        guard places.count > 2, let first = places.first, let last = places.last else {
            return places
        }
        let step = (last - first) / Double(places.count - 1)
        let isEven = places.enumerated().allSatisfy { row, place in
            (place - first - step * Double(row)).magnitude < 1e-6
        }
        return isEven ? [first, last] : places
    }
}

extension Column {
    /// The style of the column's cells on the page: text, prose, numbers, bars.
    fileprivate var kind: String {
        switch content {
        case .words: "t"
        case .sentence: "p"
        case .bar: "b"
        case .numbers: "n"
        }
    }
}

extension Cell {
    fileprivate var markup: Markup {
        // Most cells are figures, so they need no name: a fifth of the bytes of a page's tables.
        let kind = column.kind
        let key = number.map { number in Int64(exactly: number).map { "\($0)" } ?? "\(number)" }
        guard let key, key != text || isGood != nil else {
            return kind == "n"
                ? Markup("td", [:], content) : Markup("td", ["class": kind], content)
        }
        return kind == "n"
            ? Markup("td", ["data-key": key], content)
            : Markup("td", ["class": kind, "data-key": key], content)
    }

    private var content: [Markup] {
        guard column.content != .bar else {
            let width = Markup.number(max(0, min(1, number ?? 0)) * 100)
            return [Markup("i", ["class": "bar \(text)", "style": "width:\(width)%"])]
        }
        return (isGood.map { [Markup.sign($0)] } ?? [])
            + [column.content == .sentence ? .prose(text) : .text(text)]
    }
}
