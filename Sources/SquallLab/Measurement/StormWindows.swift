import SquallReport

/// Finds storms and recoveries in the rows of a run's time series.
struct StormWindows {
    private let rows: [(startMilliseconds: Int64, values: [Int64])]
    private let intervalNanoseconds: Int64
    /// The first row that is measured.
    private let first: Int

    /// A storm begins with at least so many times the refreshes of an average interval.
    private static let rise = 4.0
    /// It begins with at least so many refreshes in an interval.
    private static let fewest: Int64 = 10
    /// It goes on while there are at least so many times the average.
    private static let fall = 2.0
    /// So many intervals below that end it.
    private static let quietIntervals = 5
    /// Goodput counts as before when it reaches this share of its level, on average over a span.
    private static let recovered = 0.9
    /// Rows of ten seconds, and of the minute over which a level is taken; one at least.
    private let recoverySpan, levelSpan: Int

    /// The rows of a series from a moment on, as far as they begin before another.
    init(_ series: TimeSeries, measuredFrom start: Int64, until end: Int64 = .max) {
        rows = Array(series.rows.prefix { $0.startMilliseconds < end / 1_000_000 })
        intervalNanoseconds = series.intervalNanoseconds
        recoverySpan = max(1, Int(10_000_000_000 / intervalNanoseconds))
        levelSpan = max(1, Int(60_000_000_000 / intervalNanoseconds))
        first = Int((start + intervalNanoseconds - 1) / intervalNanoseconds)
    }

    /// Refreshes each second on average and in the busiest interval.
    var rates: (mean: Double, peak: Double) {
        guard first < rows.count else { return (0, 0) }
        let peak = (first..<rows.count).map { value(.refreshes, $0) }.max() ?? 0
        return (mean / seconds, Double(peak) / seconds)
    }

    /// The storms, in order of time.
    var all: [StormWindow] {
        var windows: [StormWindow] = []
        var row = first
        while row < rows.count {
            guard isStorm(row) else {
                row += 1
                continue
            }
            let end = lastRow(ofStormFrom: row)
            windows.append(window(row...end))
            row = end + 1
        }
        return windows
    }

    /// How successful steps fared before and after something that was done in a span.
    func trigger(_ name: String, from start: Int64, until end: Int64) -> TriggerRow {
        let (startRow, endRow) = (row(at: start), row(at: end))
        let before = goodput(max(first, startRow - levelSpan)..<startRow)
        let from = max(endRow + 1, rows.count - levelSpan)
        return TriggerRow(
            name: name, startNanoseconds: start, endNanoseconds: end,
            goodputBefore: before.map { $0 / seconds },
            goodputAfter: goodput(from..<max(from, rows.count)).map { $0 / seconds },
            recoveredAfterNanoseconds: recovery(to: before, from: endRow).map {
                max(0, Int64($0) * intervalNanoseconds - end)
            })
    }

    private var seconds: Double { Double(intervalNanoseconds) / 1e9 }

    private var mean: Double {
        let sum = (first..<rows.count).reduce(0) { $0 + value(.refreshes, $1) }
        return Double(sum) / Double(max(1, rows.count - first))
    }

    private func value(_ column: Timeline.Column, _ row: Int) -> Int64 {
        rows[row].values[column.rawValue]
    }

    private func row(at moment: Int64) -> Int { Int(moment / intervalNanoseconds) }

    private func isStorm(_ row: Int) -> Bool {
        let refreshes = value(.refreshes, row)
        return refreshes >= StormWindows.fewest && Double(refreshes) >= StormWindows.rise * mean
    }

    private func lastRow(ofStormFrom start: Int) -> Int {
        let floor = StormWindows.fall * mean
        var last = start
        for row in start..<rows.count where row - last <= StormWindows.quietIntervals {
            if Double(value(.refreshes, row)) >= floor { last = row }
        }
        return last
    }

    private func window(_ span: ClosedRange<Int>) -> StormWindow {
        let peak = span.reduce(span.lowerBound) {
            value(.refreshes, $1) > value(.refreshes, $0) ? $1 : $0
        }
        let before = goodput(max(first, span.lowerBound - levelSpan)..<span.lowerBound)
        let sum = { (column: Timeline.Column) in span.reduce(0) { $0 + value(column, $1) } }
        return StormWindow(
            startNanoseconds: Int64(span.lowerBound) * intervalNanoseconds,
            peakNanoseconds: Int64(peak) * intervalNanoseconds,
            endNanoseconds: Int64(span.upperBound + 1) * intervalNanoseconds,
            refreshes: sum(.refreshes), peakPerSecond: Double(value(.refreshes, peak)) / seconds,
            held: span.map { value(.held, $0) }.max() ?? 0, signOuts: sum(.signOuts),
            recoveredAfterNanoseconds: recovery(to: before, from: span.lowerBound).map {
                Int64($0 - span.lowerBound) * intervalNanoseconds
            })
    }

    /// Steps that succeeded in an average interval of a span; nil when the span is empty.
    ///
    /// Those that had nothing to do do not count: where nothing arrives, nothing can be tapped on.
    private func goodput(_ span: Range<Int>) -> Double? {
        guard !span.isEmpty, span.upperBound <= rows.count else { return nil }
        let useless: [Timeline.Column] = [.stepsFailed, .stepsHung, .stepsIdle]
        let sum = span.reduce(0) { sum, row in
            sum + value(.stepsEnded, row) - useless.reduce(0) { $0 + value($1, row) }
        }
        return Double(sum) / Double(span.count)
    }

    /// The first row from which the goodput is what it was, for a while; nil when none is.
    private func recovery(to level: Double?, from start: Int) -> Int? {
        guard let level else { return nil }
        guard start + recoverySpan <= rows.count else { return nil }
        return (start...rows.count - recoverySpan).first { row in
            goodput(row..<row + recoverySpan) ?? 0 >= StormWindows.recovered * level
        }
    }
}
