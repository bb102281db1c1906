/// Whole numbers for every interval of virtual time, in a fixed list of columns.
///
/// The columns are named once; counting goes by a column's index, so that a sample costs an array
/// access.
public struct TimeSeries: Hashable, Sendable {
    /// One column.
    public struct Column: Hashable, Sendable {
        /// Its heading.
        public let name: String
        /// How samples of one interval combine.
        public let kind: Kind

        /// A column of that name.
        public init(_ name: String, _ kind: Kind) {
            self.name = name
            self.kind = kind
        }
    }

    /// How samples of one interval combine, and what an interval without samples shows.
    public enum Kind: Sendable {
        /// They add up; 0 without samples.
        case sum
        /// The last one counts, and stays until the next.
        case level
        /// The largest counts; 0 without samples.
        case peak
    }

    /// The columns, in the order of the output.
    public let columns: [Column]
    /// How much virtual time a row covers.
    public let intervalNanoseconds: Int64
    /// How many rows there are.
    public private(set) var rowCount = 0
    /// Row after row; `nothing` where no sample came.
    private var cells: [Int64] = []

    private static let nothing = Int64.min

    /// An empty series.
    ///
    /// - Precondition: the interval is at least one millisecond and whole milliseconds.
    public init(columns: [Column], intervalNanoseconds: Int64) {
        precondition(
            intervalNanoseconds > 0 && intervalNanoseconds % 1_000_000 == 0,
            "an interval must be whole milliseconds, got \(intervalNanoseconds) ns")
        self.columns = columns
        self.intervalNanoseconds = intervalNanoseconds
    }

    /// Counts a sample in a column at a moment of virtual time.
    ///
    /// - Precondition: the moment is not negative and the column exists.
    public mutating func record(_ sample: Int64, inColumn column: Int, atNanoseconds moment: Int64)
    {
        let row = Int(moment / intervalNanoseconds)
        extend(toRows: row + 1)
        let cell = row * columns.count + column
        let previous = cells[cell]
        guard previous != TimeSeries.nothing else {
            cells[cell] = sample
            return
        }
        switch columns[column].kind {
        case .sum: cells[cell] = previous + sample
        case .level: cells[cell] = sample
        case .peak: cells[cell] = max(previous, sample)
        }
    }

    /// Adds empty rows up to a moment, so that a quiet end of a run is shown too.
    public mutating func extend(toNanoseconds moment: Int64) {
        extend(toRows: Int((moment + intervalNanoseconds - 1) / intervalNanoseconds))
    }

    /// The rows, each with its beginning in milliseconds and one number for every column.
    public var rows: [(startMilliseconds: Int64, values: [Int64])] {
        var levels = [Int64](repeating: 0, count: columns.count)
        return (0..<rowCount).map { row in
            let values = columns.indices.map { column in
                value(inRow: row, column, &levels)
            }
            return (Int64(row) * (intervalNanoseconds / 1_000_000), values)
        }
    }

    /// The series as comma-separated values with one heading line.
    public var csv: String {
        let heading = (["time_ms"] + columns.map(\.name)).joined(separator: ",")
        let lines = rows.map { row in
            ([row.startMilliseconds] + row.values).map(String.init).joined(separator: ",")
        }
        return ([heading] + lines).map { $0 + "\n" }.joined()
    }

    private func value(inRow row: Int, _ column: Int, _ levels: inout [Int64]) -> Int64 {
        let cell = cells[row * columns.count + column]
        guard columns[column].kind == .level else { return cell == TimeSeries.nothing ? 0 : cell }
        if cell != TimeSeries.nothing { levels[column] = cell }
        return levels[column]
    }

    private mutating func extend(toRows rows: Int) {
        guard rows > rowCount else { return }
        let missing = (rows - rowCount) * columns.count
        cells.append(contentsOf: repeatElement(TimeSeries.nothing, count: missing))
        rowCount = rows
    }
}
