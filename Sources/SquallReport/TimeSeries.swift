/// Whole numbers for every interval of virtual time, in a fixed list of columns.
///
/// A sample costs a search among the columns' codes and an array access.
public struct TimeSeries: Hashable, Sendable {
    /// The columns, in the order of the output.
    public let columns: [TimelineColumn]
    /// How much virtual time a row covers.
    public let intervalNanoseconds: Int64
    /// How many rows there are.
    public private(set) var rowCount = 0
    /// Row after row; `nothing` where no sample came.
    private var cells: [Int64] = []
    private let codes: [UInt64]

    private static let nothing = Int64.min

    /// An empty series.
    ///
    /// - Precondition: the interval is at least one millisecond and whole milliseconds.
    public init(columns: [TimelineColumn], intervalNanoseconds: Int64) {
        precondition(
            intervalNanoseconds > 0 && intervalNanoseconds % 1_000_000 == 0,
            "an interval must be whole milliseconds, got \(intervalNanoseconds) ns")
        self.columns = columns
        codes = columns.map(\.code)
        self.intervalNanoseconds = intervalNanoseconds
    }

    /// Counts a sample in a column at a moment of virtual time.
    ///
    /// - Precondition: the moment is not negative and the series has the column.
    public mutating func record(
        _ sample: Int64, in column: TimelineColumn, atNanoseconds moment: Int64
    ) {
        record(sample, inColumn: position(of: column), atNanoseconds: moment)
    }

    /// Where a column is among the columns.
    ///
    /// - Precondition: the series has the column.
    public func position(of column: TimelineColumn) -> Int {
        guard let position = codes.firstIndex(of: column.code) else {
            preconditionFailure("the series has no column \(column.name)")
        }
        return position
    }

    private mutating func record(
        _ sample: Int64, inColumn column: Int, atNanoseconds moment: Int64
    ) {
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
    public var csv: String { TimeTable(self).csv }

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
