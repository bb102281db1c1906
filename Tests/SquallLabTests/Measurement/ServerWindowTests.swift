import SquallReport
import Testing

@testable import SquallLab

@Suite("Server metrics of the measured time")
struct ServerWindowTests {
    private static let millisecond: Int64 = 1_000_000
    private static let service: Int64 = 100_000_000

    /// Twenty a second for 30 s, twice what the worker can do, then five a second until 90 s.
    private static let run = OneCallRun(
        load: OneCallRun.even([(20, 30), (5, 60)]), duration: "90s",
        settings: #""warmUp": {"for": "40s"},"#, interval: "1s")

    /// When each of them comes to the server, 10 ms after it arrived.
    private static let arrivals: [Int64] = {
        let fast: [Int64] = (1...600).map { $0 * 50 + 10 }
        let slow: [Int64] = (1...300).map { $0 * 200 + 30_010 }
        return (fast + slow).map { $0 * millisecond }
    }()

    private static let window = (40_000 * millisecond)...(90_000 * millisecond)

    @Test("Waits, line and work are those of what is measured, as Lindley's recursion has them")
    func window() throws {
        let server = try #require(try Self.run.summary().server)
        let starts = lindley(Self.arrivals, service: Self.service)
        let waits = zip(starts, Self.arrivals).filter { $0.0 > Self.window.lowerBound }
            .map { $0 - $1 }
        #expect(server.waitNanoseconds == LatencySummary(Histogram(of: waits)))
        #expect(server.queues.map(\.served) == [Int64(waits.count)])
        let busy = Self.overlap(starts.map { $0...($0 + Self.service) })
        let line = Self.overlap(zip(Self.arrivals, starts).map { $0...$1 })
        #expect(server.utilisation == busy && server.meanBusy == busy)
        #expect(server.meanQueue == line)
        let lines = Self.arrivals.filter(Self.window.contains).map { now in
            Self.arrivals.count { $0 <= now } - starts.count { $0 <= now }
        }
        #expect(server.longestQueue == Int64(lines.max() ?? 0))
    }

    @Test("A drain does not make a server look idle")
    func drain() throws {
        let server = try #require(
            try OneCallRun(load: OneCallRun.even([(20, 60)]), duration: "60s").summary().server)
        // Busy from 60 ms on; a line of a minute's work is left, which takes another minute.
        let busy = 1 - 60.0 / 60_000
        #expect(abs(try #require(server.utilisation) - busy) < 1e-9)
    }

    @Test("Waits for a worker, the line and the busy workers are in the series, row by row")
    func series() throws {
        let output = try Self.run.output()
        let rows = output.timeseries.rows
        let position = { output.timeseries.position(of: $0) }
        let starts = lindley(Self.arrivals, service: Self.service)
        let row = 20
        let span = Int64(row) * 1_000 * Self.millisecond..<Int64(row + 1) * 1_000 * Self.millisecond
        let waits = zip(starts, Self.arrivals).filter { span.contains($0.0) }.map { $0 - $1 }
            .sorted()
        #expect(waits.count == 10)
        #expect(rows[row].values[position(.serverWaitP50)] == waits[4])
        #expect(rows[row].values[position(.serverWaitP99)] == waits[9])
        let end = span.upperBound - 1
        let line = zip(Self.arrivals, starts).count { $0 <= end && $1 > end }
        #expect(rows[row].values[position(.serverQueue)] == Int64(line))
        #expect(rows[row].values[position(.workersBusy)] == 1)
        guard case .gauge(let busy)? = output.metrics.value(of: MetricKey(.workersBusy)) else {
            Issue.record("workers_busy is a level")
            return
        }
        #expect(busy.highest == 1 && busy.level == 0)
    }

    /// The mean number of spans that hold a moment of the window.
    private static func overlap(_ spans: [ClosedRange<Int64>]) -> Double {
        let area = spans.filter { $0.overlaps(window) }
            .reduce(Int64(0)) { sum, span in
                let common = span.clamped(to: window)
                return sum + common.upperBound - common.lowerBound
            }
        return Double(area) / Double(window.upperBound - window.lowerBound)
    }
}
