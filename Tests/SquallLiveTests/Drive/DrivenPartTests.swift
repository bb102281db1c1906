import Foundation
import SquallFormat
import SquallLab
import SquallReport
import Testing

@Suite("Several load generators that share a profile")
struct DrivenPartTests {
    // A generator draws who returns among its own users, so only turns are the same for all.
    private static let open =
        #"populations[0].load={"open":{"spacing":"even","whoReturns":"inTurn","#
        + #""stages":[{"constant":{"rate":1,"for":"60s"}}]}}"#

    private func part(
        _ index: Int, of count: Int, _ settings: [String], began: Double = 0
    ) throws -> DrivenPart {
        let share = UserShare(index: index, of: count)
        let trial = try DrivenTrial(settings, share: share)
        let part = DrivenPart(try trial.driven(), share, of: "", began: began)
        // As it is stored.
        return try JSONDocument.read(
            DrivenPart.self, from: .init(JSONDocument.text(part).utf8))
    }

    @Test(
        "Several generators together have the counts and latencies of one",
        arguments: [[], ["populations[0].design=naive"], [Self.open]])
    func together(settings: [String]) throws {
        let trial = try DrivenTrial(settings)
        let one = try trial.driven()
        let parts = try (1...3).map { try part($0, of: 3, settings) }
        let merged = try #require(
            try DrivenParts(parts.reversed(), of: trial.profile).merged())
        let (whole, sum) = (one.summary, merged.summary)
        #expect(sum.users == 12 && merged.requests == one.requests && one.requests > 100)
        for metric in MetricCatalogue.installed.metrics where metric.kind != .gauge {
            let (a, b) = (whole.total(of: metric), sum.total(of: metric))
            #expect(a?.count == b?.count && a?.latency == b?.latency, "\(metric.name)")
        }
        #expect(sum.steps.map(\.count) == whole.steps.map(\.count))
        #expect(sum.thresholds.map(\.ok) == whole.thresholds.map(\.ok))
        #expect(sum.thresholds.map(\.observed) == whole.thresholds.map(\.observed))
        #expect(sum.verdict == whole.verdict)
        #expect(sum.findings.map(\.label) == whole.findings.map(\.label))
        #expect(sum.load[0].visits.begun == whole.load[0].visits.begun)
        #expect(sum.load[0].visits.offered == whole.load[0].visits.offered)
        #expect(sum.refreshes?.refreshesPerExpiry == whole.refreshes?.refreshesPerExpiry)
        #expect(sum.refreshes?.peakRefreshesPerSecond == whole.refreshes?.peakRefreshesPerSecond)
        #expect(sum.retries?.tree.attempts == whole.retries?.tree.attempts)
        #expect(sum.generator?.sent == whole.generator?.sent)
        let rows = (merged.timeseries.rows.map(\.values), one.timeseries.rows.map(\.values))
        let isEqual = rows.0 == rows.1
        #expect(isEqual)
        #expect(merged.latencies.intervals.count == one.latencies.intervals.count)
    }

    @Test("The lateness of the worst generator is that of all")
    func limits() throws {
        let late = try DrivenTrial(share: UserShare(index: 2, of: 2))
        late.wire.oversleeps = 60_000_000
        let slow = DrivenPart(
            try late.driven(), UserShare(index: 2, of: 2), of: "", began: 1)
        let parts = [try part(1, of: 2, []), slow]
        let summary = try #require(
            try DrivenParts(parts, of: late.profile).merged()
        ).summary
        #expect(summary.verdict == .failed)
        let finding = try #require(summary.findings.first { $0.label == "generator.limited" })
        #expect(finding.headline.hasPrefix("part 2 of 2: the load generator"))
        #expect(summary.generator?.latenessNanoseconds.p99 ?? 0 >= 40_000_000)
        #expect(!summary.selfChecks.contains { !$0.ok })
    }

    @Test("Generators that did not begin together fail, because the server never had the load")
    func apart() throws {
        let profile = try DrivenTrial().profile
        func labels(_ seconds: Double) throws -> [String] {
            let parts = [try part(1, of: 2, []), try part(2, of: 2, [], began: seconds)]
            return try #require(try DrivenParts(parts, of: profile).merged())
                .summary.findings.map(\.label)
        }
        let (near, far) = (try labels(2.9), try labels(3.1))
        #expect(!near.contains("generator.apart") && far.contains("generator.apart"))
    }
}
