import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

@Suite("Texts about a run's transient")
struct TransientTests {
    private static let second: Int64 = 1_000_000_000

    private func sentences(_ rows: [SettlingRow], measuredFrom: Int64 = 0) throws -> [String] {
        let summary = try RunSummary.sample(measuredFrom: measuredFrom) { $0.settling = rows }
        let page = try XMLTree(
            SavedRun(
                summary: summary, timeseries: TimeTable(SavedRun.series()), latencies: LatencyLog()
            ).html)
        let text = TextSummary(summary, style: TerminalStyle(isOn: false), width: 200, isFull: true)
            .text
        let words = summary.transient.joined(separator: " ")
        #expect(page.elements("p").map(\.text).contains(words))
        #expect(words.isEmpty || text.contains("Transient\n"))
        return summary.transient
    }

    @Test("A run that leaves nothing out begins in the transient of what settles later")
    func begins() throws {
        let rows = [
            SettlingRow(series: "steps_running", .settled, afterNanoseconds: 0),
            SettlingRow(series: "refreshes", .settled, afterNanoseconds: 390 * Self.second),
        ]
        #expect(
            try sentences(rows) == [
                "Every number counts from the run's beginning: nothing is left out.",
                "There is no warm-up, and the number of refreshes settles only after 6m30s"
                    + " (MSER-5). Set warmUp.for to at least 6m30s.",
            ])
    }

    @Test("A run that leaves its transient out says how much, and that all had settled")
    func leavesOut() throws {
        let rows = [
            SettlingRow(series: "refreshes", .settled, afterNanoseconds: 390 * Self.second)
        ]
        #expect(
            try sentences(rows, measuredFrom: 400 * Self.second) == [
                "The first 6m40s (warm-up) is excluded.",
                "Every series that a threshold is about had settled by then (MSER-5).",
            ])
    }

    @Test("The brief text warns of a transient and of no steady state, and of nothing else")
    func warns() throws {
        let rows = [
            SettlingRow(series: "a", .settled, afterNanoseconds: 390 * Self.second),
            SettlingRow(series: "b", .never), SettlingRow(series: "c", .tooShort),
        ]
        for (rows, isWarned) in [(rows, true), (Array(rows.suffix(1)), false)] {
            let summary = try RunSummary.sample { $0.settling = rows }
            let text = TextSummary(summary, style: TerminalStyle(isOn: false), width: 200).text
                .replacing("\n", with: " ")
            #expect(
                text.contains(
                    "settles only after 6m30s (MSER-5). Set warmUp.for to at least 6m30s.")
                    == isWarned)
            #expect(text.contains("MSER-5") == isWarned)
        }
    }

    @Test("A series that never settles is told from one with too few rows")
    func unsettled() throws {
        let rows = [
            SettlingRow(series: "refreshes", .never), SettlingRow(series: "requests", .tooShort),
        ]
        let said = try sentences(rows)
        #expect(
            said.count == 3
                && said[1].hasPrefix("No steady state (MSER-5) of the number of refreshes"))
        #expect(said[2] == "Too few rows to tell (MSER-5): the number of attempts.")
    }
}
