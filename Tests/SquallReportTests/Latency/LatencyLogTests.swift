import SquallFormat
import Testing

@testable import SquallReport

@Suite("Latency log")
struct LatencyLogTests {
    /// Values from one nanosecond to a day, by a generator written here.
    static func values(_ seed: UInt64, count: Int = 1_000) -> [Int64] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 17) >> Int64(state >> 58)
        }
    }

    static func log(of values: [Int64]) -> LatencyLog {
        var recorder = LatencyRecorder(tags: ["wire"], intervalNanoseconds: 1_000_000_000)
        for value in values { recorder.record(value, inTag: 0, atNanoseconds: 5) }
        return recorder.log
    }

    @Test(
        "An independent reader finds the count, the maximum and every percentile",
        arguments: 1...5 as ClosedRange<UInt64>)
    func readBack(seed: UInt64) throws {
        let values = Self.values(seed).sorted()
        let interval = try #require(
            try HistogramLogReader(Self.log(of: values).text).intervals.first)
        #expect(interval.count == Int64(values.count))
        #expect(abs(interval.maximum - Double(values[values.count - 1]) / 1e6) <= 0.000_6)
        for percentile in [50, 90, 99, 99.9, 100] {
            let rank = Int((percentile / 100 * Double(values.count)).rounded(.up))
            let (exact, read) = (values[rank - 1], interval.value(atPercentile: percentile))
            #expect(read >= exact && Double(read) <= Double(exact) * 1.001 + 1)
        }
    }

    @Test("Each tag has a line for each interval in which something was measured")
    func intervals() throws {
        var recorder = LatencyRecorder(tags: ["step", "wire"], intervalNanoseconds: 2_000_000_000)
        for (tag, moment) in [(0, 0), (1, 1_999_999_999), (1, 2_000_000_000), (0, 9_000_000_000)] {
            recorder.record(1_500_000, inTag: tag, atNanoseconds: Int64(moment))
        }
        let read = try HistogramLogReader(recorder.log.text).intervals
        #expect(read.map(\.tag) == ["step", "wire", "wire", "step"])
        #expect(read.map(\.startSeconds) == [0, 0, 2, 8])
        #expect(read.allSatisfy { $0.lengthSeconds == 2 && $0.maximum == 1.5 && $0.count == 1 })
    }

    @Test(
        "A restarted latency log has no earlier value, and its first interval is the rest of one")
    func restart() throws {
        var recorder = LatencyRecorder(tags: ["wire"], intervalNanoseconds: 2_000_000_000)
        for moment in [0, 2_500_000_000] {
            recorder.record(9_000_000, inTag: 0, atNanoseconds: Int64(moment))
        }
        recorder.restart(atNanoseconds: 2_750_000_000)
        for moment in [2_750_000_000, 3_999_999_999, 4_000_000_000] {
            recorder.record(1_500_000, inTag: 0, atNanoseconds: Int64(moment))
        }
        let read = try HistogramLogReader(recorder.log.text).intervals
        #expect(read.map(\.startSeconds) == [2.75, 4] && read.map(\.lengthSeconds) == [1.25, 2])
        #expect(read.map(\.count) == [2, 1] && read.allSatisfy { $0.maximum == 1.5 })
    }

    @Test("The bytes of a log of two values are those worked out by hand")
    func byHand() {
        // 7 and 7 and 9: seven empty cells, a count of 2, one empty cell, a count of 1.
        let words: [UInt8] = [13, 4, 0, 2]
        #expect(PackedHistogram(Self.histogram([7, 7, 9])).words == words)
        // 300 empty cells need two bytes: −300 is 599, which is 0x57 and then 4.
        #expect(PackedHistogram(Self.histogram([300])).words == [0xd7, 4, 2])
    }

    @Test("A written latency log reads back as the same log", arguments: [0, 1, 1_000])
    func roundTrip(count: Int) throws {
        let log = Self.log(of: Self.values(7, count: count))
        let read = try LatencyLog(text: log.text)
        #expect(read.text == log.text)
        for (read, written) in zip(read.intervals, log.intervals) {
            let percentiles = [50.0, 95, 99, 100]
            let shown = written.histogram.microseconds(atPercentiles: percentiles)
            #expect(read.histogram.microseconds(atPercentiles: percentiles) == shown)
            #expect(
                percentiles.map { written.histogram.microseconds(atPercentiles: [$0])[0] } == shown)
        }
        #expect(log.total(of: "wire").count == Int64(count))
    }

    @Test(
        "A damaged log is refused with its line",
        arguments: [
            "Tag=wire,0.000,1.000,1.500,", "Tag=wire,0.000,1.000,1.500,HISTFAAAACA",
            "0.000,1.000,1.500,HISTFAAAAC", "Tag=wire,0,1.000,1.500,HISTFAAAAC",
        ])
    func damage(line: String) throws {
        #expect {
            try LatencyLog(text: "#[a comment]\n\(line)\n")
        } throws: { ($0 as? FileSyntaxError)?.line == 2 }
    }

    private static func histogram(_ values: [Int64]) -> Histogram {
        values.reduce(into: Histogram()) { $0.record($1) }
    }
}
