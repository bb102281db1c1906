import SquallReport
import Testing

@testable import SquallLab

@Suite("Waits of an interval of the time series")
struct IntervalWaitsTests {
    private static let columns: [(TimelineColumn, Int)] = [
        (.serverWaitP50, 50), (.serverWaitP95, 95), (.serverWaitP99, 99),
    ]
    private static let interval: Int64 = 1_000_000

    /// The percentiles of each interval of some waits.
    private static func rows(_ waits: [(wait: Int64, at: Int64)]) -> [[Int64]] {
        var timeline = TimeSeries(
            columns: TimelineColumn.builtIn, intervalNanoseconds: interval)
        var intervals = IntervalWaits(intervalNanoseconds: interval)
        for (wait, moment) in waits { intervals.record(wait, at: moment, into: &timeline) }
        intervals.close(into: &timeline)
        let places = columns.map { timeline.position(of: $0.0) }
        return timeline.rows.map { row in places.map { row.values[$0] } }
    }

    @Test("A percentile is the smallest wait that so many of 100 do not exceed, none counted, too")
    func percentiles() {
        for count in 1...210 {
            for none in Set([0, count / 3, count * 9 / 10, count - 1]) {
                let waits = (0..<count).map { $0 < none ? 0 : Int64($0 + 1) }
                let expected = Self.columns.map { _, share in
                    waits[waits.indices.first { ($0 + 1) * 100 >= share * count } ?? 0]
                }
                let found = Self.rows(waits.reversed().map { ($0, 0) })
                // An interval of which no percentile is above 0 has no row of its own.
                let isEmpty = expected.allSatisfy { $0 == 0 }
                #expect(found == (isEmpty ? [] : [expected]), "\(count), \(none) of them none")
            }
        }
    }

    @Test("An interval ends just before the next one begins, and without a wait there is none")
    func intervals() {
        let end = Self.interval
        #expect(Self.rows([(0, 0), (0, end)]).isEmpty)
        #expect(
            Self.rows([(5, 0), (7, end - 1), (9, end), (4, 3 * end + 1)]) == [
                [5, 7, 7], [9, 9, 9], [0, 0, 0], [4, 4, 4],
            ])
    }
}
