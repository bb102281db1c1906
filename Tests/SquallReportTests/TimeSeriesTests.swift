import SquallReport
import Testing

@Suite("Time series")
struct TimeSeriesTests {
    @Test("Sums add up, levels stay until the next, peaks are the largest of an interval")
    func columnsCombine() {
        var series = TimeSeries(
            columns: [.init("requests", .sum), .init("users", .level), .init("slowest", .peak)],
            intervalNanoseconds: 1_000_000_000)
        for (sample, moment) in [(3, 0), (9, 999_999_999), (2, 2_000_000_000)] as [(Int64, Int64)] {
            for column in 0..<3 {
                series.record(sample, inColumn: column, atNanoseconds: moment)
            }
        }
        series.extend(toNanoseconds: 3_000_000_001)
        #expect(
            series.csv == """
                time_ms,requests,users,slowest
                0,12,9,9
                1000,0,9,0
                2000,2,2,2
                3000,0,2,0

                """)
    }

    @Test("An empty series is its heading")
    func empty() {
        let series = TimeSeries(
            columns: [.init("requests", .sum)], intervalNanoseconds: 1_000_000)
        #expect(series.csv == "time_ms,requests\n")
    }

    @Test("A late sample of an earlier interval still goes there")
    func outOfOrder() {
        var series = TimeSeries(
            columns: [.init("requests", .sum)], intervalNanoseconds: 100_000_000)
        series.record(1, inColumn: 0, atNanoseconds: 250_000_000)
        series.record(1, inColumn: 0, atNanoseconds: 0)
        #expect(series.rows.map(\.values) == [[1], [0], [1]])
        #expect(series.rows.map(\.startMilliseconds) == [0, 100, 200])
    }
}
