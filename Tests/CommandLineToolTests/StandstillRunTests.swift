import Foundation
import SquallFormat
import SquallReport
import Testing

@testable import CommandLineTool

@Suite("A run in which time stands still")
struct StandstillRunTests {
    @Test("A run in which time stands still fails, names time and user, and keeps its results")
    func ends() throws {
        let squall = try PlayedTool()
        let kept = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzz/no-time-anywhere.json")
        try squall.write(String(contentsOf: kept, encoding: .utf8), to: "still.json")
        #expect(squall.play(["run", "still.json"]) == .failed)
        #expect(squall.console.output.contains("virtual time stood still, and the run ended there"))
        #expect(squall.console.output.contains("repeat: squall run still.json --seed 1\n"))
        let summary = try JSONDocument.read(
            RunSummary.self, from: Data(squall.read("Results/still/latest/summary.json").utf8))
        let finding = try #require(summary.findings.first { $0.label == "run.stoodStill" })
        #expect(finding.detail.contains("virtual time stood still at 2.000000000 s"))
        #expect(finding.detail.contains("user 0 made "))
        #expect(finding.detail.contains("ScrollyRetryInterceptor"))
        #expect(summary.verdict == .failed && summary.selfChecks.allSatisfy(\.ok))
        #expect(!squall.console.errors.contains("error"))
    }
}
