/// Rows of typed cells, each with its column: written once, for text and page.
public struct Table: Sendable {
    /// Its heading; empty if the section's heading is enough.
    let title: String
    /// The cells, row by row; every row has the same columns.
    let rows: [[Cell]]
    /// The number of the first columns that name a row.
    private(set) var names = 1
    /// True if a brief text also shows it.
    private(set) var isBrief = false
    /// True to leave it out on a terminal.
    private(set) var isOnPageOnly = false
    /// The most rows on a terminal.
    private(set) var rowsInText = Int.max
    /// The place of each row on the horizontal axis of the table's chart.
    private(set) var places: [Double] = []

    /// Makes a table; its first columns name each row.
    public init(names: Int = 1, _ rows: [[Cell]]) {
        self.init("", names: names, rows)
    }

    /// Makes a table with its own heading.
    public init(_ title: String, names: Int = 1, _ rows: [[Cell]]) {
        self.title = title
        self.names = names
        self.rows = rows
    }

    /// Makes a table with the given columns, from cells in the columns' order.
    ///
    /// - Precondition: each row has as many cells as there are columns.
    public init(names: Int = 1, _ columns: [Column], _ rows: [[Cell]]) {
        self.init(
            names: names,
            rows.map { row in
                precondition(
                    row.count == columns.count,
                    "a row of \(row.count) cells under \(columns.count) columns")
                return zip(columns, row).map { $1.within($0) }
            })
    }

    /// Makes the table of a chart's data.
    public init(places: [Double], _ rows: [[Cell]]) {
        self.init(rows)
        self.places = places
    }

    /// The columns of its rows.
    var columns: [Column] { rows.first?.map(\.column) ?? [] }

    /// A copy for a brief text, too.
    public var inBrief: Table { with { $0.isBrief = true } }

    /// A copy that is left out on a terminal if the condition holds.
    public func onPage(if isOnPageOnly: Bool = true) -> Table {
        with { $0.isOnPageOnly = isOnPageOnly }
    }

    /// A copy with fewer rows on a terminal.
    public func inText(rows count: Int) -> Table { with { $0.rowsInText = count } }

    private func with(_ change: (inout Table) -> Void) -> Table {
        var table = self
        change(&table)
        return table
    }

    /// Columns as CSV (RFC 4180), with exact numbers; a text that a spreadsheet would run as a
    /// formula is written as a text.
    public static func csv(_ headings: [String], _ rows: [[Cell]]) -> String {
        let cells = rows.map { row in row.map { $0.number.map { "\($0)" } ?? $0.text.asCellText } }
        return ([headings.map(\.asCellText)] + cells).map { row in
            row.map(\.quotedForCSV).joined(separator: ",") + "\n"
        }.joined()
    }
}

extension String {
    /// The text behind an apostrophe, as spreadsheets mark texts, where it would be a formula.
    fileprivate var asCellText: String {
        guard let first = unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first),
            Double(self) == nil
        else { return self }
        return "'" + self
    }

    /// The text quoted for a CSV file, if needed.
    fileprivate var quotedForCSV: String {
        guard unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else {
            return self
        }
        return "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
