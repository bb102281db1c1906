import Foundation
import SquallProof
import Testing

@testable import CommandLineTool

@Suite("A run in which time stands still")
struct StandstillRunTests {
    @Test("It ends with exit code 70, and says where, who, with which seed and how to see it again")
    func ends() throws {
        let stage = try Stage()
        let kept = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzz/no-time-anywhere.json")
        try stage.write(String(contentsOf: kept, encoding: .utf8), to: "still.json")
        let tool = Tool(
            runner: InstalledRunner(isStrict: false), benchmarks: [],
            interruption: stage.interruption, child: NoChildren())
        #expect(tool.main(["run", "still.json"], console: stage.console) == .internalError)
        let errors = stage.console.errors
        #expect(errors.contains("virtual time stood still at 2.000000000 s"))
        #expect(
            errors.contains("error: user 0 made ") && errors.contains("ScrollyRetryInterceptor"))
        #expect(errors.contains("seed 1; to see it again: squall run still.json --seed 1\n"))
        #expect(try stage.files(in: "Results").allSatisfy { !$0.hasSuffix("summary.json") })
    }
}
