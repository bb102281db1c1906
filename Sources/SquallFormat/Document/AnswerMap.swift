/// A table over two settings with shaded cells.
public struct AnswerMap: Sendable {
    /// Its title.
    let title: String
    /// The settings that the columns and the rows vary.
    let columnName, rowName: String
    /// The values of those settings.
    let columns, rows: [String]
    /// The cells, row by row.
    public let cells: [[Cell]]
    /// True to leave it out on a terminal.
    public var isOnPageOnly = false

    /// One cell.
    public struct Cell: Hashable, Sendable {
        /// The text for people.
        let text: String
        /// How dark it is, from 0 to 1.
        public let shade: Double
        /// True if the number is as wanted; `nil` where no expectation applies.
        let isGood: Bool?

        /// A cell.
        public init(_ text: String, shade: Double, isGood: Bool? = nil) {
            self.text = text
            self.shade = shade
            self.isGood = isGood
        }
    }

    /// A map.
    public init(
        _ title: String, columns: (name: String, values: [String]),
        rows: (name: String, values: [String]), cells: [[Cell]]
    ) {
        self.title = title
        columnName = columns.name
        self.columns = columns.values
        rowName = rows.name
        self.rows = rows.values
        self.cells = cells
    }
}

extension AnswerMap: Picture {
    /// The map as a table with shaded cells.
    public var markup: Markup? {
        let heads = ["\(rowName) ↓  \(columnName) →"] + columns
        let head = heads.map { Markup("th", ["scope": "col"], $0) }
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
            "div", ["class": "scroll", "tabindex": "0"],
            (title.isEmpty ? [] : [Markup("h3", title)]) + [table])
    }

    private static func markup(_ cell: Cell) -> Markup {
        let colour = cell.isGood.map { $0 ? "good" : "bad" } ?? "wire"
        let share = Markup.number(min(1, max(0, cell.shade)) * 100)
        let style =
            "background:color-mix(in srgb,var(--\(colour)) calc(\(share) * var(--darkest)),"
            + "transparent)"
        let mark = cell.isGood.map { $0 ? "✓ " : "✗ " } ?? ""
        return Markup("td", ["style": style], mark + cell.text)
    }

    /// The map as lines of text, without shades.
    public func lines(_ style: TerminalStyle, width: Int) -> [String] {
        guard !isOnPageOnly else { return [] }
        var table = TextTable()
        table.append(["\(rowName) \\ \(columnName)"] + columns)
        for (name, cells) in zip(rows, cells) { table.append([name] + cells.map(\.text)) }
        return ["  \(title)"] + table.blocks(width: width, margin: width / 2).flatMap { $0 }
    }
}
