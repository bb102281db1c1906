/// Rows of typed cells, each with the column that it stands in: written once, for text and page.
public struct Table: Sendable {
    /// Its heading; empty where it is what its section is about.
    let title: String
    /// The cells, row by row; every row has the same columns.
    public let rows: [[Cell]]
    /// How many of the first columns together name a row.
    private(set) var names = 1
    /// Whether a brief text shows it, too.
    private(set) var isBrief = false
    /// Whether it is left out on a terminal.
    private(set) var isOnPageOnly = false
    /// How many rows a terminal shows.
    private(set) var rowsInText = Int.max
    /// Where each row is along the horizontal axis of the chart that the table belongs to.
    private(set) var places: [Double] = []

    /// A table of rows, in which the first columns name each row.
    public init(names: Int = 1, _ rows: [[Cell]]) {
        self.init("", names: names, rows)
    }

    /// A table with a heading of its own.
    public init(_ title: String, names: Int = 1, _ rows: [[Cell]]) {
        self.title = title
        self.names = names
        self.rows = rows
    }

    /// A table of those columns, with the cells of each row in the columns' order.
    ///
    /// - Precondition: each row has as many cells as there are columns.
    public init(_ columns: [Column], _ rows: [[Cell]]) {
        self.init(
            rows.map { row in
                precondition(
                    row.count == columns.count,
                    "a row of \(row.count) cells under \(columns.count) columns")
                return zip(columns, row).map { $1.within($0) }
            })
    }

    /// The data of a chart.
    public init(places: [Double], _ rows: [[Cell]]) {
        self.init(rows)
        self.places = places
    }

    /// The columns of its rows.
    public var columns: [Column] { rows.first?.map(\.column) ?? [] }

    /// The same, also for a brief text.
    public var inBrief: Table { with { $0.isBrief = true } }

    /// The same, left out on a terminal where that holds.
    public func onPage(if isOnPageOnly: Bool = true) -> Table {
        with { $0.isOnPageOnly = isOnPageOnly }
    }

    /// The same, with no more rows on a terminal.
    public func inText(rows count: Int) -> Table { with { $0.rowsInText = count } }

    private func with(_ change: (inout Table) -> Void) -> Table {
        var table = self
        change(&table)
        return table
    }

    /// Columns of numbers and words as CSV (RFC 4180), every number exact.
    public static func csv(_ headings: [String], _ rows: [[Cell]]) -> String {
        let cells = rows.map { row in row.map { $0.number.map { "\($0)" } ?? $0.text } }
        return ([headings] + cells).map { row in
            row.map(\.quotedForCSV).joined(separator: ",") + "\n"
        }.joined()
    }
}

extension String {
    /// The text as a cell of a CSV file.
    fileprivate var quotedForCSV: String {
        guard contains(where: { ",\"\n\r".contains($0) }) else { return self }
        return "\"" + replacing("\"", with: "\"\"") + "\""
    }
}
