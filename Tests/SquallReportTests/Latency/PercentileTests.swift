import Foundation
import Testing

@testable import SquallReport

@Suite("Percentiles")
struct PercentileTests {
    @Test("Each is its rank of the values, and a member of the summary")
    func rankAndMember() throws {
        var histogram = Histogram()
        for value in 1...10_000 { histogram.record(Int64(value) * 1_000) }
        let latency = LatencySummary(histogram)
        let data = try JSONEncoder().encode(latency)
        let members = try #require(JSONSerialization.jsonObject(with: data) as? [String: Int64])
        for percentile in Percentile.all {
            let value = histogram.value(atPercentile: percentile.rank)
            #expect(percentile(latency) == value, "\(percentile.name)")
            #expect(members[percentile.name.replacing(".", with: "_")] == value)
        }
        let names = members.keys.filter { $0.wholeMatch(of: /p[0-9_]+/) != nil }
        #expect(names.count == Percentile.all.count)
    }

    @Test("Those of a first look have a series for steps and one for requests")
    func series() {
        #expect(
            TimelineColumn.percentiles.map(\.column.name)
                == ["step", "request"].flatMap { metric in
                    ["p50", "p95", "p99"].map { "\(metric)_duration_\($0)_ns" }
                })
    }
}
