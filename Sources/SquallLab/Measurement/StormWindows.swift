import SquallReport

/// Finds storms and recoveries in the rows of a time series: of a whole run or of one population.
///
/// What a storm is stands at ``StormWindow``, what a recovery is at ``Recovery``.
struct StormWindows {
    /// Refreshes, useful steps, requests held and users signed out in each row.
    private let refreshes, useful, held, signOuts: [Int64]
    private let intervalNanoseconds: Int64
    /// The first row that is measured.
    private let first: Int
    /// The rows of each storm.
    private let storms: [ClosedRange<Int>]

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
        let rows = series.rows.prefix { $0.startMilliseconds < end / 1_000_000 }.map(\.values)
        func column(_ column: TimelineColumn) -> [Int64] {
            let position = series.position(of: column)
            return rows.map { $0[position] }
        }
        refreshes = column(.refreshes)
        held = column(.held)
        signOuts = column(.signOuts)
        // Steps with nothing to do do not count: where nothing arrives, nothing can be tapped on.
        let useless = [column(.stepsFailed), column(.stepsHung), column(.stepsIdle)]
        useful = column(.stepsEnded).enumerated().map { row, ended in
            ended - useless.reduce(0) { $0 + $1[row] }
        }
        intervalNanoseconds = series.intervalNanoseconds
        recoverySpan = max(1, Int(10_000_000_000 / intervalNanoseconds))
        levelSpan = max(1, Int(60_000_000_000 / intervalNanoseconds))
        first = Int((start + intervalNanoseconds - 1) / intervalNanoseconds)
        storms = StormWindows.storms(in: refreshes, from: first)
    }

    /// Refreshes each second on average and in the busiest interval.
    var rates: (mean: Double, peak: Double) {
        guard first < refreshes.count else { return (0, 0) }
        let peak = refreshes[first...].max() ?? 0
        return (StormWindows.mean(refreshes, from: first) / seconds, Double(peak) / seconds)
    }

    /// The storms, in order of time.
    var all: [StormWindow] { windows(recoveringAs: [self]) }

    /// The storms of a whole that has recovered when all of its parts have, in order of time.
    func windows(recoveringAs parts: [StormWindows]) -> [StormWindow] {
        storms.map { rows in
            let recoveries = parts.map { $0.recovery(fromStorm: rows) }
            return window(rows, recovery: .longest(of: recoveries))
        }
    }

    /// How successful steps fared before and after something that was done in a span.
    func trigger(_ name: String, from start: Int64, until end: Int64) -> TriggerRow {
        let (startRow, endRow) = (row(at: start), row(at: end))
        let before = goodput(min(startRow, max(first, startRow - levelSpan))..<startRow)
        let from = max(endRow + 1, useful.count - levelSpan)
        return TriggerRow(
            name: name, startNanoseconds: start, endNanoseconds: end,
            goodputBefore: before.map { $0 / seconds },
            goodputAfter: goodput(from..<max(from, useful.count)).map { $0 / seconds },
            recoveredAfterNanoseconds: recovery(to: before, from: endRow).map {
                max(0, Int64($0) * intervalNanoseconds - end)
            })
    }

    private var seconds: Double { Double(intervalNanoseconds) / 1e9 }

    private func row(at moment: Int64) -> Int { Int(moment / intervalNanoseconds) }

    private func window(_ rows: ClosedRange<Int>, recovery: Recovery) -> StormWindow {
        let peak = rows.reduce(rows.lowerBound) { refreshes[$1] > refreshes[$0] ? $1 : $0 }
        return StormWindow(
            startNanoseconds: Int64(rows.lowerBound) * intervalNanoseconds,
            peakNanoseconds: Int64(peak) * intervalNanoseconds,
            endNanoseconds: Int64(rows.upperBound + 1) * intervalNanoseconds,
            refreshes: refreshes[rows].reduce(0, +),
            peakPerSecond: Double(refreshes[peak]) / seconds,
            held: held[rows].max() ?? 0, signOuts: signOuts[rows].reduce(0, +),
            recovery: recovery)
    }

    /// How long after the first row of a storm things were as before; never while it goes on.
    private func recovery(fromStorm rows: ClosedRange<Int>) -> Recovery {
        let before = goodput(max(first, rows.lowerBound - levelSpan)..<rows.lowerBound)
        guard before != nil else { return .unknown }
        let row = recovery(to: before, from: rows.upperBound + 1)
        return row.map { .after(nanoseconds: Int64($0 - rows.lowerBound) * intervalNanoseconds) }
            ?? .never
    }

    /// Steps that succeeded in an average interval of a span; nil when the span is empty.
    private func goodput(_ span: Range<Int>) -> Double? {
        guard !span.isEmpty, span.upperBound <= useful.count else { return nil }
        return Double(useful[span].reduce(0, +)) / Double(span.count)
    }

    /// The first row from which the goodput is what it was, for a while, and that is in no storm;
    /// nil when none is.
    private func recovery(to level: Double?, from start: Int) -> Int? {
        guard let level, start + recoverySpan <= useful.count else { return nil }
        return (start...useful.count - recoverySpan).first { row in
            !storms.contains { $0.contains(row) }
                && goodput(row..<row + recoverySpan) ?? 0 >= StormWindows.recovered * level
        }
    }
}

extension StormWindows {
    private static func mean(_ refreshes: [Int64], from first: Int) -> Double {
        let measured = refreshes.dropFirst(first)
        return Double(measured.reduce(0, +)) / Double(max(1, measured.count))
    }

    private static func storms(
        in refreshes: [Int64], from first: Int
    ) -> [ClosedRange<Int>] {
        let mean = mean(refreshes, from: first)
        var storms: [ClosedRange<Int>] = []
        var row = first
        while row < refreshes.count {
            if refreshes[row] >= fewest, Double(refreshes[row]) >= rise * mean {
                let end = lastRow(ofStormFrom: row, in: refreshes, atLeast: fall * mean)
                storms.append(row...end)
                row = end
            }
            row += 1
        }
        return storms
    }

    private static func lastRow(
        ofStormFrom start: Int, in refreshes: [Int64], atLeast floor: Double
    ) -> Int {
        var last = start
        for row in start..<refreshes.count where row - last <= quietIntervals {
            if Double(refreshes[row]) >= floor { last = row }
        }
        return last
    }
}
