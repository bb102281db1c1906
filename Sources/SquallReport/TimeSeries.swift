/// Whole numbers for each interval of virtual time, in a fixed list of columns.
///
/// Ask once for the place of a column, then count through the place: that is an array access.
public struct TimeSeries: Sendable {
    /// The columns, in the order of the output.
    public let columns: [TimelineColumn]
    /// The virtual time that a row covers.
    public let intervalNanoseconds: Int64
    private(set) var rowCount = 0
    /// The cells row by row; `nothing` without a sample.
    private var cells: [Int64] = []
    /// The beginning of the row of the last sample, cached because the next one is nearly always in
    /// it.
    private var rowOffset = 0
    private var rowStart: Int64 = 0
    private var rowEnd: Int64 = 0
    /// True as soon as the run is over: its world may take years to end, with a row for each
    /// second.
    private var isClosed = false

    private static let nothing = Int64.min

    /// The position of a column's samples.
    public struct Place: Hashable, Sendable {
        fileprivate let column: Int
        fileprivate let kind: TimelineColumn.Kind
    }

    /// An empty series.
    ///
    /// - Precondition: the interval is at least one millisecond and whole milliseconds.
    public init(columns: [TimelineColumn], intervalNanoseconds: Int64) {
        precondition(
            intervalNanoseconds > 0 && intervalNanoseconds % 1_000_000 == 0,
            "an interval must be whole milliseconds, got \(intervalNanoseconds) ns")
        self.columns = columns
        self.intervalNanoseconds = intervalNanoseconds
    }

    /// Counts a sample in a column at a moment of virtual time, unless the series is closed.
    ///
    /// - Precondition: the moment is not negative and the series has the column.
    public mutating func count(
        _ column: TimelineColumn, _ sample: Int64 = 1, at moment: Int64
    ) {
        count(place(of: column), sample, at: moment)
    }

    /// The position of a column's samples, valid in every series with the same columns.
    ///
    /// - Precondition: the series has the column.
    public func place(of column: TimelineColumn) -> Place {
        Place(column: position(of: column), kind: column.kind)
    }

    /// The index of a column.
    ///
    /// - Precondition: the series has the column.
    public func position(of column: TimelineColumn) -> Int {
        guard let position = columns.firstIndex(of: column) else {
            preconditionFailure("the series has no column \(column.name)")
        }
        return position
    }

    /// Counts a sample in the column at a place, at a moment of virtual time, unless the series is
    /// closed.
    ///
    /// - Precondition: the moment is not negative and the place is from a series of these columns.
    public mutating func count(_ place: Place, _ sample: Int64 = 1, at moment: Int64) {
        guard !isClosed else { return }
        if moment >= rowEnd || moment < rowStart { find(moment) }
        let cell = rowOffset + place.column
        let previous = cells[cell]
        cells[cell] =
            if place.kind == .level || previous == TimeSeries.nothing {
                sample
            } else {
                place.kind == .sum ? previous + sample : max(previous, sample)
            }
    }

    /// Adds the counts of a series of some of these columns, all of which add up.
    public mutating func add(_ other: TimeSeries) {
        extend(toRows: other.rowCount)
        let places = other.columns.map(position)
        for (index, sample) in other.cells.enumerated() where sample != TimeSeries.nothing {
            let (row, column) = index.quotientAndRemainder(dividingBy: places.count)
            let cell = row * columns.count + places[column]
            cells[cell] = max(0, cells[cell]) + sample
        }
    }

    /// Adds the numbers of columns that add up to those of another one.
    public mutating func add(_ parts: [TimelineColumn], to sum: TimelineColumn) {
        let (places, sum) = (parts.map(position), position(of: sum))
        for first in stride(from: 0, to: cells.count, by: columns.count) {
            cells[first + sum] = places.reduce(max(0, cells[first + sum])) {
                $0 + max(0, cells[first + $1])
            }
        }
    }

    /// Adds to a column's number in a moment's interval, whatever the column's kind.
    ///
    /// - Precondition: the moment is not negative and the series has the column.
    public mutating func add(_ column: TimelineColumn, _ number: Int64, at moment: Int64) {
        find(moment)
        let cell = rowOffset + position(of: column)
        cells[cell] = max(0, cells[cell]) + number
    }

    /// Counts nothing from now on.
    public mutating func close() { isClosed = true }

    /// Makes the row of a moment current.
    private mutating func find(_ moment: Int64) {
        let row = Int(moment / intervalNanoseconds)
        rowOffset = row * columns.count
        rowStart = Int64(row) * intervalNanoseconds
        rowEnd = rowStart + intervalNanoseconds
        extend(toRows: row + 1)
    }

    /// Adds empty rows up to a moment, so that a run's quiet end is also shown.
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

    /// A copy without some columns.
    public func without(_ left: Set<TimelineColumn>) -> TimeSeries {
        let kept = columns.indices.filter { !left.contains(columns[$0]) }
        var series = TimeSeries(
            columns: kept.map { columns[$0] }, intervalNanoseconds: intervalNanoseconds)
        series.rowCount = rowCount
        series.cells = (0..<rowCount).flatMap { row in
            kept.map { cells[row * columns.count + $0] }
        }
        return series
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
