/// Finds peaks and recoveries in the rows of a time series: of a whole run or of one population.
///
/// ``RefreshPeak`` defines a peak, ``Recovery`` a recovery.
public struct PeakFinder {
    /// Refreshes, useful steps, requests held and users signed out in each row.
    private let refreshes, useful, held, sessionsLost: [Int64]
    private let intervalNanoseconds: Int64
    /// The first row that is measured.
    private let first: Int
    /// The rows of each peak.
    private let peaks: [ClosedRange<Int>]

    /// A peak begins with at least this many times the refreshes of an average interval.
    private static let rise = 4.0
    /// It begins with at least this many refreshes in an interval.
    private static let fewest: Int64 = 10
    /// It goes on while there are at least this many times the average.
    private static let fall = 2.0
    /// This many intervals below that end it.
    private static let quietIntervals = 5
    /// Goodput has recovered when it averages this share of its earlier level over a span.
    private static let recovered = 0.9
    /// Rows of ten seconds, and of the minute that gives a level; at least one.
    private let recoverySpan, levelSpan: Int

    /// The rows of a series from a moment on that begin before another moment.
    public init(_ series: TimeSeries, measuredFrom start: Int64, until end: Int64 = .max) {
        let rows = series.rows.prefix { $0.startMilliseconds < end / 1_000_000 }.map(\.values)
        // The series of a population has not all of them.
        func column(_ column: TimelineColumn) -> [Int64] {
            series.columns.firstIndex(of: column).map { index in rows.map { $0[index] } } ?? []
        }
        refreshes = column(.refreshes)
        held = column(.held)
        sessionsLost = column(.sessionsLost)
        // Steps with nothing to do do not count: where nothing arrives, there is nothing to tap on.
        useful = zip(column(.stepsEnded), column(.stepsFailed)).map { $0 - $1 }
        intervalNanoseconds = series.intervalNanoseconds
        recoverySpan = max(1, Int(10_000_000_000 / intervalNanoseconds))
        levelSpan = max(1, Int(60_000_000_000 / intervalNanoseconds))
        first = Int((start + intervalNanoseconds - 1) / intervalNanoseconds)
        peaks = PeakFinder.peaks(in: refreshes, from: first)
    }

    /// Refreshes each second in the busiest interval.
    public var peakPerSecond: Double { Double(refreshes.dropFirst(first).max() ?? 0) / seconds }

    /// The peaks of one population, in order of time; its series does not tell who was held.
    public var ofOnePopulation: [RefreshPeak] {
        peaks.map { peak($0, recovery: recovery(fromPeak: $0), isOfAll: false) }
    }

    /// The peaks of a whole that has recovered when all of its parts have, in order of time.
    public func peaks(recoveringAs parts: [PeakFinder]) -> [RefreshPeak] {
        peaks.map { rows in
            let recoveries = parts.map { $0.recovery(fromPeak: rows) }
            return peak(rows, recovery: .longest(of: recoveries), isOfAll: true)
        }
    }

    /// The rate of successful steps before and after a fault of a span.
    public func fault(
        _ name: String, from start: Int64, until end: Int64, backlog: Backlog? = nil
    ) -> FaultRow {
        let (startRow, endRow) = (row(at: start), row(at: end))
        let before = level(min(startRow, max(first, startRow - levelSpan))..<startRow)
        let calm = Int((end + intervalNanoseconds - 1) / intervalNanoseconds)
        let after = level(calm..<max(calm, useful.count))
        let lowest = lowest(beginningIn: startRow..<max(startRow + 1, endRow))
        return FaultRow(
            name: name, startNanoseconds: start, endNanoseconds: end,
            goodputBefore: before.map { $0.each / seconds },
            goodputLowest: lowest.map { $0.each / seconds },
            goodputAfter: after.map { $0.each / seconds },
            goodputLeftRange: before.map { lowest?.isBelow($0) ?? false } ?? false,
            recovery: recovery(to: before, from: endRow, calmFrom: calm, since: end),
            backlog: backlog)
    }

    /// The ten seconds with the fewest successful steps of those that begin in a span.
    private func lowest(beginningIn span: Range<Int>) -> Level? {
        let last = useful.count - recoverySpan
        return span.prefix { $0 <= last }.compactMap { level($0..<$0 + recoverySpan) }
            .min { $0.count < $1.count }
    }

    private var seconds: Double { Double(intervalNanoseconds) / 1e9 }

    private func row(at moment: Int64) -> Int { Int(moment / intervalNanoseconds) }

    private func peak(
        _ rows: ClosedRange<Int>, recovery: Recovery, isOfAll: Bool
    ) -> RefreshPeak {
        let highest = rows.reduce(rows.lowerBound) { refreshes[$1] > refreshes[$0] ? $1 : $0 }
        return RefreshPeak(
            startNanoseconds: Int64(rows.lowerBound) * intervalNanoseconds,
            peakNanoseconds: Int64(highest) * intervalNanoseconds,
            endNanoseconds: Int64(rows.upperBound + 1) * intervalNanoseconds,
            refreshes: refreshes[rows].reduce(0, +),
            peakPerSecond: Double(refreshes[highest]) / seconds,
            held: isOfAll ? held[rows].max() : nil,
            sessionsLost: isOfAll ? sessionsLost[rows].reduce(0, +) : nil,
            recovery: recovery)
    }

    /// The time from a peak's first row until the goodput had recovered; never while the peak goes
    /// on.
    private func recovery(fromPeak rows: ClosedRange<Int>) -> Recovery {
        let next = rows.upperBound + 1
        let begin = Int64(rows.lowerBound) * intervalNanoseconds
        let before = level(max(first, rows.lowerBound - levelSpan)..<rows.lowerBound)
        let recovery = recovery(to: before, from: next, calmFrom: next, since: begin)
        // For a peak it is enough to know that the goodput has not recovered.
        return recovery == .metastable ? .never : recovery
    }

    private struct Level {
        let count: Int64
        let rows: Int

        var each: Double { Double(count) / Double(rows) }

        /// True if it is less than the recovered share of another by more than two standard errors
        /// of both, as for counts of independent events.
        func isBelow(_ other: Level) -> Bool {
            let scale = PeakFinder.recovered * Double(rows) / Double(other.rows)
            let missing = scale * Double(other.count) - Double(count)
            let variance = Double(count) + scale * scale * Double(other.count)
            return missing > 2 * variance.squareRoot()
        }
    }

    /// Steps that succeeded in the last minute of a span; nil when the span is empty.
    private func level(_ span: Range<Int>) -> Level? {
        let span = max(span.lowerBound, span.upperBound - levelSpan)..<span.upperBound
        guard !span.isEmpty, span.upperBound <= useful.count else { return nil }
        return Level(count: useful[span].reduce(0, +), rows: span.count)
    }

    /// The time since a moment until the goodput has recovered from some row on, for a while,
    /// outside of any peak; if it never does, the case says if it is still below when the load
    /// ends.
    private func recovery(
        to before: Level?, from start: Int, calmFrom calm: Int, since moment: Int64
    ) -> Recovery {
        guard let before else { return .unknown }
        let wanted = PeakFinder.recovered * before.each
        let spans = start..<max(start, useful.count - recoverySpan + 1)
        let row = spans.first { row in
            !peaks.contains { $0.contains(row) }
                && level(row..<row + recoverySpan)?.each ?? 0 >= wanted
        }
        if let row {
            return .after(nanoseconds: max(0, Int64(row) * intervalNanoseconds - moment))
        }
        guard let left = level(calm..<max(calm, useful.count)),
            useful.count - calm >= min(recoverySpan, before.rows), left.isBelow(before)
        else { return .unknown }
        return left.each < before.each / 2 ? .metastable : .never
    }
}

extension PeakFinder {
    private static func peaks(
        in refreshes: [Int64], from first: Int
    ) -> [ClosedRange<Int>] {
        let measured = refreshes.dropFirst(first)
        let mean = Double(measured.reduce(0, +)) / Double(max(1, measured.count))
        var peaks: [ClosedRange<Int>] = []
        var row = first
        while row < refreshes.count {
            if refreshes[row] >= fewest, Double(refreshes[row]) >= rise * mean {
                let end = lastRow(ofPeakFrom: row, in: refreshes, atLeast: fall * mean)
                peaks.append(row...end)
                row = end
            }
            row += 1
        }
        return peaks
    }

    private static func lastRow(
        ofPeakFrom start: Int, in refreshes: [Int64], atLeast floor: Double
    ) -> Int {
        var last = start
        for row in start..<refreshes.count where row - last <= quietIntervals {
            if Double(refreshes[row]) >= floor { last = row }
        }
        return last
    }
}
