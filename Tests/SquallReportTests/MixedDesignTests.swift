import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

/// What a person can read off a run of several designs at more than one place.
@Suite("Numbers of mixed designs")
struct MixedDesignTests {
    @Test("Where designs are mixed, the card, the table and the text show one population's number")
    func refreshesPerExpiry() throws {
        let run = try Mixed.run()
        let page = try XMLTree(run.html)
        let card = try #require(
            page.elements("div").first { $0.elements("span").first?.text == "refreshes per expiry" }
        )
        #expect(card.elements("span").map(\.text)[1] == "3.77")
        #expect(card.elements("span").map(\.text)[2].hasPrefix("as built, the worst population"))
        #expect(try Self.cells("populations", "refreshes per expiry", of: page) == ["3.77", "1"])
        let lines = TextSummary(run.summary, style: TerminalStyle(isOn: false), isFull: true).text
            .split(
                separator: "\n")
        #expect(lines.contains { $0.hasPrefix("  as built") && $0.contains(" 3.77 ") })
        #expect(!lines.contains { $0.contains("each") && $0.contains("expiries") })
        #expect(run.summary.refreshes?.refreshesPerExpiry == nil)
    }

    @Test("A whole has recovered when all its populations have, wherever that is shown")
    func recovery() throws {
        let run = try Mixed.run()
        let page = try XMLTree(run.html)
        #expect(try Self.cells("populations", "recovered", of: page) == ["32 s", "✗ never"])
        let faults = try Self.cells("faults", "recovered", of: page)
        #expect(faults == ["✗ never", "32 s", "✗ never"])
        let text = TextSummary(run.summary, style: TerminalStyle(isOn: false), isFull: true).text
        let fault = text.split(separator: "\n").filter { $0.hasPrefix("    expireAllTokens") }
        #expect(fault.contains { $0.hasSuffix("never") } && !text.contains("no step lost"))
        #expect(run.summary.faults.first?.recovery.afterNanoseconds == nil)
    }

    private static func cells(
        _ section: String, _ heading: String, of page: XMLTree
    ) throws -> [String] {
        let part = try #require(
            page.elements("section").first { $0.attributes["id"] == section })
        let table = try #require(
            part.elements("table").first { $0.elements("th").contains { $0.text == heading } })
        let column = try #require(table.elements("th").firstIndex { $0.text == heading })
        return table.elements("tr").dropFirst().map { $0.elements("td")[column].text }
    }
}

/// A run in which a design of an app and the reference design share a server.
private enum Mixed {
    static func run() throws -> SavedRun {
        let populations = [
            population("as built", design: "asBuilt", refreshes: 49, recovery: 32_000_000_000),
            population("reference", design: "reference", refreshes: 13, recovery: nil),
        ]
        let whole = FaultRow.sample(recoveredAfter: 2_000_000_000)
        let summary = try RunSummary.sample {
            $0.refreshes = RefreshView(
                counts: .init(
                    expiries: 26, promptedRefreshes: 62, redundantRefreshes: 36,
                    unpromptedRefreshes: 0),
                meanRefreshesPerSecond: 1, peakRefreshesPerSecond: 4, peakOverMean: 4,
                held: .init(
                    requests: 0, maxConcurrent: 0, waitNanoseconds: LatencySummary(Histogram())),
                sessionsLost: [], peaks: [])
            $0.populations = populations
            $0.faults = [whole.recovered(as: populations.flatMap(\.faults))]
        }
        return SavedRun(
            summary: summary, timeseries: TimeTable(SavedRun.series()), latencies: LatencyLog())
    }

    private static func population(
        _ name: String, design: String, refreshes: Int64, recovery: Int64?
    ) -> PopulationRow {
        var counts = PopulationRow.Counts()
        (counts.expiries, counts.promptedRefreshes, counts.redundantRefreshes) = (13, refreshes, 0)
        (counts.failedSteps, counts.hangs, counts.sessionsLost) = (7_001, 77, 23)
        (counts.expiredResponses, counts.wastedAttempts) = (607, 1_011)
        return PopulationRow(
            name: name, app: "scrolly", design: design, users: 10, counts: counts,
            peakRefreshesPerSecond: 7, peaks: [], faults: [.sample(recoveredAfter: recovery)])
    }
}
