import Foundation
import Testing

@Suite("A command in front of a served backend")
struct ServedCommandTests {
    @Test(
        "The command's exit code and the judge's are one, and the report says how it ended",
        arguments: [
            (script: "curl -s $API/_squall/status", code: 1, says: "no request arrived"),
            (script: "curl -s $SQUALL_URL/v1/x", code: 0, says: "1 request;"),
            (script: "curl -s $API/v1/x; exit 3", code: 1, says: "ended with exit code 3"),
            (script: "curl -s $API/v1/x; kill -9 $$", code: 1, says: "was ended by signal 9"),
        ])
    func codes(script: String, code: Int32, says: String) throws {
        let (outcome, _) = try serve(["--env", "API"], ["sh", "-c", script])
        #expect(outcome.status == code, "\(outcome)")
        let answer = outcome.output.replacing("\n", with: " ")
        #expect(answer.contains(says), "\(outcome)")
    }

    @Test("A command that never ends is ended with what it started, and fails")
    func endless() throws {
        let (outcome, _) = try serve(
            ["--for", "1s"], ["sh", "-c", "sleep 600 & echo $!; sleep 600"])
        #expect(outcome.status == 1, "\(outcome)")
        let child = outcome.output.split(separator: "\n").lazy.compactMap { pid_t($0) }.first
        // Where nobody waits for it, what is left of it is a line in the system's table.
        let number = try #require(child)
        let facts = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        #expect(facts?.contains(") Z ") != false, "\(facts ?? "")")
    }

    @Test("With --json, standard output is the report alone")
    func json() throws {
        let (outcome, _) = try serve(["--json"], ["sh", "-c", "echo hello"])
        #expect(outcome.errors.contains("hello"))
        let report = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        #expect((report as? [String: Any])?["commands"] != nil)
    }

    @Test("Each drill starts the command once; one that gives up says so")
    func drills() throws {
        let (outcome, report) = try serve(
            ["--drill", "expiredToken,outage"], ["sh", "-c", "echo in $SQUALL_DRILL; exit 4"])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("in expiredToken\n") && outcome.output.contains("in outage"))
        #expect(report.contains("ended with exit code 4 before the drill was over"), "\(outcome)")
    }

    /// What came of it, and the report that was kept.
    private func serve(
        _ options: [String], _ command: [String]
    ) throws -> (outcome: BuiltTool.Outcome, report: String) {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(["serve", "quick", "--quiet"] + options + ["--"] + command)
        let kept = tool.folder.appending(path: "Results/quick/serve/summary.json")
        return (outcome, (try? String(contentsOf: kept, encoding: .utf8)) ?? "")
    }
}
