import Foundation
import Testing

@Suite("The workflow files of Sources/Examples/ContinuousIntegration")
struct WorkflowTests {
    /// The shell lines of a file's gate, as a runner would have them.
    static func gate(of file: String) throws -> String {
        let url = BuiltTool.package
            .appending(path: "Sources/Examples/ContinuousIntegration/\(file)")
        let lines = try String(contentsOf: url, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasSuffix("status=0") })
        let indentation = lines[start].prefix { $0 == " " }
        return lines[start...].prefix { $0.hasPrefix(indentation) }
            .map { $0.dropFirst(indentation.count) }.joined(separator: "\n")
    }

    @Test("Their gates pass and fail with the profile", arguments: ["github.yml", "gitlab.yml"])
    func gates(file: String) throws {
        let gate = try Self.gate(of: file)
        let tool = try BuiltTool()
        defer { tool.remove() }
        let summary = "GITHUB_STEP_SUMMARY='step.md'\n"
        let made = try tool.shell(
            """
            mkdir load && squall new load/my-api.json && \
            squall run load/my-api.json --users 20 --for 3m --summary load/baseline.json
            """)
        #expect(made.status <= 1, "\(made)")
        for (limit, status) in [("rate<=1", Int32(0)), ("rate<0", 1)] {
            let size = " --users 20 --for 3m --threshold 'step_failed:\(limit)'"
            let line = gate.replacing(
                "squall run load/my-api.json", with: "squall run load/my-api.json" + size)
            #expect(line != gate)
            let run = try tool.shell(summary + line)
            // The draft may have expectations of its own that fail; it has none that fail here.
            #expect(run.status == status, "\(run)")
            let report = try String(
                contentsOf: tool.folder.appending(path: "squall.md"), encoding: .utf8)
            #expect(report.contains(status == 0 ? "passed · my-api" : "❌ failed · my-api"))
            #expect(report.contains("Nothing changed since the baseline"))
            #expect(
                FileManager.default.fileExists(
                    atPath: tool.folder.appending(path: "squall.xml").path))
        }
    }
}
