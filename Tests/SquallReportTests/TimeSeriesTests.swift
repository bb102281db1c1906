import SquallFormat
import SquallReport
import Testing

@Suite("Time series")
struct TimeSeriesTests {
    @Test("Sums add up, levels stay until the next, peaks are the largest of an interval")
    func columnsCombine() {
        var series = TimeSeries(
            columns: [.requests, .users, .slowest], intervalNanoseconds: 1_000_000_000)
        for (sample, moment) in [(3, 0), (9, 999_999_999), (2, 2_000_000_000)] as [(Int64, Int64)] {
            for column in [TimelineColumn.requests, .users, .slowest] {
                series.count(column, sample, at: moment)
            }
        }
        series.extend(toNanoseconds: 3_000_000_001)
        #expect(
            TimeTable(series).csv == """
                time_ns,requests,users,slowest
                0,12,9,9
                1000000000,0,9,0
                2000000000,2,2,2
                3000000000,0,2,0

                """)
    }

    @Test("Two time series are added row by row in the columns that both have")
    func added() {
        var (whole, part) = (
            TimeSeries(columns: [.users, .requests], intervalNanoseconds: 1_000_000_000),
            TimeSeries(columns: [.requests], intervalNanoseconds: 1_000_000_000)
        )
        whole.count(.requests, 3, at: 0)
        for moment in [0, 2_000_000_000, 2_500_000_000] as [Int64] {
            part.count(.requests, 2, at: moment)
        }
        whole.add(part)
        #expect(whole.rows.map(\.values) == [[0, 5], [0, 0], [0, 4]])
    }

    @Test("An empty series is its heading")
    func empty() {
        let series = TimeSeries(
            columns: [.requests], intervalNanoseconds: 1_000_000)
        #expect(TimeTable(series).csv == "time_ns,requests\n")
    }

    @Test("A late sample of an earlier interval still goes there")
    func outOfOrder() {
        var series = TimeSeries(
            columns: [.requests], intervalNanoseconds: 100_000_000)
        series.count(.requests, at: 250_000_000)
        series.count(.requests, at: 0)
        #expect(series.rows.map(\.values) == [[1], [0], [1]])
        #expect(series.rows.map(\.startMilliseconds) == [0, 100, 200])
    }

    @Test("Columns have names of their own, and codes of their own")
    func columns() {
        let columns = TimelineColumn.builtIn
        #expect(Set(columns.map(\.name)).count == columns.count)
        #expect(Set(columns).count == columns.count)
        #expect(columns.allSatisfy { $0.meaning.hasSuffix(".") })
    }

    @Test(
        "A file whose columns are not the known ones is refused, and says which",
        arguments: [
            ("time_ns,requests\n", "slowest is missing"),
            ("time_ns,requests,slowset\n", "Did you mean 'slowest'?"),
            ("time_ns,requests,requests\n", "stands there twice"),
            ("requests,slowest\n", "begins with time_ns"),
            ("time_ns,requests,slowest\n0,1\n", "line 2: expected 3 whole numbers"),
        ])
    func strangeColumns(csv: String, problem: String) throws {
        let error = try #require(throws: FileSyntaxError.self) {
            try TimeTable(csv: csv, columns: [.requests, .slowest])
        }
        #expect(error.description.contains(problem))
    }
}

extension TimelineColumn {
    fileprivate static let users = TimelineColumn("users", .level, "Users.")
    fileprivate static let slowest = TimelineColumn("slowest", .peak, "The slowest.")
}
