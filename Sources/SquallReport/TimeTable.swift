public import SquallFormat

/// The rows of a time series, as `timeseries.csv` holds them.
public struct TimeTable: Equatable, Sendable {
    private static let time = "time_ns"

    /// The columns, without the column of times.
    let columns: [TimelineColumn]
    /// The rows' beginnings, in virtual milliseconds.
    let starts: [Int64]
    /// One number for each column in each row.
    let values: [[Int64]]

    /// The rows of a series.
    public init(_ series: TimeSeries) {
        let rows = series.rows
        columns = series.columns
        starts = rows.map(\.startMilliseconds)
        values = rows.map(\.values)
    }

    /// The rows of a series, with the percentiles of latencies.
    public init(_ series: TimeSeries, _ latencies: LatencyLog) {
        let table = TimeTable(series)
        let tags = Set(TimelineColumn.timedMetrics.map(\.name))
        var intervals: [String: [LatencyLog.Interval]] = [:]
        for interval in latencies.intervals where tags.contains(interval.tag) {
            intervals[interval.tag, default: []].append(interval)
        }
        let more = TimelineColumn.timedMetrics.map {
            table.percentiles(of: intervals[$0.name] ?? [])
        }
        columns = table.columns + TimelineColumn.percentiles.map(\.column)
        starts = table.starts
        values = table.values.enumerated().map { row, values in
            values + more.flatMap { $0[row] }
        }
    }

    /// The percentiles of the interval in which each row begins, read in one pass; 0 where there is
    /// none.
    private func percentiles(of intervals: [LatencyLog.Interval]) -> [[Int64]] {
        let none = TimelineColumn.timedPercentiles.map { _ in Int64(0) }
        var rest = intervals.map { interval in
            (
                interval,
                interval.histogram.microseconds(atPercentiles: TimelineColumn.timedPercentiles)
                    .map { $0 * 1_000 }
            )
        }[...]
        return starts.map { start in
            let moment = start * 1_000_000
            while let first = rest.first, first.0.endNanoseconds <= moment { rest.removeFirst() }
            guard let first = rest.first, first.0.startNanoseconds <= moment else { return none }
            return first.1
        }
    }

    /// Reads the rows of a file that ``csv`` wrote.
    ///
    /// It must have the given columns and no others; those of a simulated server may be absent.
    ///
    /// - Throws: the wrong line, and a text that would be right.
    public init(
        csv: String, columns known: [TimelineColumn] = TimelineColumn.written
    ) throws(FileSyntaxError) {
        let lines = csv.split(separator: "\n")
        columns = try TimeTable.columns(lines.first ?? "", among: known)
        var starts: [Int64] = []
        var values: [[Int64]] = []
        for (number, line) in lines.enumerated().dropFirst() {
            let numbers = line.split(separator: ",").compactMap { Int64($0) }
            guard numbers.count == columns.count + 1 else {
                throw FileSyntaxError(
                    line: number + 1, problem: "expected \(columns.count + 1) whole numbers")
            }
            starts.append(numbers[0] / 1_000_000)
            values.append(Array(numbers.dropFirst()))
        }
        self.starts = starts
        self.values = values
    }

    /// The table as comma-separated values with one heading line.
    public var csv: String {
        let heading = ([TimeTable.time] + columns.map(\.name)).joined(separator: ",")
        let lines = zip(starts, values).map { start, values in
            ([start * 1_000_000] + values).map(String.init).joined(separator: ",")
        }
        return ([heading] + lines).map { $0 + "\n" }.joined()
    }

    private static func columns(
        _ heading: Substring, among known: [TimelineColumn]
    ) throws(FileSyntaxError) -> [TimelineColumn] {
        let names = heading.split(separator: ",").map(String.init)
        guard names.first == time else {
            throw FileSyntaxError(line: 1, problem: "expected a heading that begins with \(time)")
        }
        var columns: [TimelineColumn] = []
        for name in names.dropFirst() {
            guard let column = known.first(where: { $0.name == name }), !columns.contains(column)
            else {
                let hint = Spelling.hint(for: name, among: known.map(\.name))
                throw FileSyntaxError(
                    line: 1, problem: "'\(name)' is not a column, or stands there twice.\(hint)")
            }
            columns.append(column)
        }
        let needed = known.filter { !TimelineColumn.ofServer.contains($0) }
        if let missing = needed.first(where: { !columns.contains($0) }) {
            throw FileSyntaxError(line: 1, problem: "the column \(missing.name) is missing")
        }
        return columns
    }

    /// The numbers of a column, row by row; nil when there is no such column.
    public func values(of column: TimelineColumn) -> [Int64]? {
        columns.firstIndex(of: column).map { index in values.map { $0[index] } }
    }

    /// The virtual time that a row covers; `nil` for fewer than two rows.
    var intervalNanoseconds: Int64? {
        starts.count < 2 ? nil : (starts[1] - starts[0]) * 1_000_000
    }

    /// A column as rates per second, with rows merged until there are at most `limit`; nil when
    /// there is no such column or no time.
    func rates(of column: TimelineColumn, rowsAtMost limit: Int) -> [Double]? {
        guard let index = columns.firstIndex(of: column), let interval = intervalNanoseconds else {
            return nil
        }
        let group = rowsInGroup(limit)
        return stride(from: 0, to: values.count, by: group).map { start in
            let rows = values[start..<min(start + group, values.count)]
            let seconds = Double(interval) / 1e9 * Double(rows.count)
            return Double(rows.reduce(0) { $0 + $1[index] }) / seconds
        }
    }

    /// The beginnings of the rows that ``rates(of:rowsAtMost:)`` gives, in nanoseconds.
    func groupStarts(rowsAtMost limit: Int) -> [Int64] {
        stride(from: 0, to: starts.count, by: rowsInGroup(limit)).map { starts[$0] * 1_000_000 }
    }

    /// The time that those rows cover together.
    func spanNanoseconds(rowsAtMost limit: Int) -> Int64 {
        let group = rowsInGroup(limit)
        let groups = (starts.count + group - 1) / group
        return (intervalNanoseconds ?? 0) * Int64(group * groups)
    }

    private func rowsInGroup(_ limit: Int) -> Int { max(1, (starts.count + limit - 1) / limit) }
}
