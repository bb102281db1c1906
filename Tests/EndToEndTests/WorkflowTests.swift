import Foundation
import Testing

@Suite("The workflow files of Sources/Examples/ContinuousIntegration")
struct WorkflowTests {
    private static func text(of file: String) throws -> String {
        let url = BuiltTool.package
            .appending(path: "Sources/Examples/ContinuousIntegration/\(file)")
        return try String(contentsOf: url, encoding: .utf8)
    }

    /// The lines of a block that begins with one of these endings, as a runner would have them.
    private static func block(of file: String, from ending: String) throws -> String {
        let lines = try text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasSuffix(ending) })
        let indentation = lines[start].prefix { $0 == " " }
        return lines[start...].prefix { $0.hasPrefix(indentation) }
            .map { $0.dropFirst(indentation.count) }.joined(separator: "\n")
    }

    /// The files' gates, and the shells that their runners run them with.
    static let files = ["github.yml", "gitlab.yml"]
    private static func shell(of file: String) -> [String] {
        file == "github.yml"
            ? ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail"]
            : ["bash", "-e", "-o", "pipefail"]
    }

    private func run(_ gate: String, of file: String, _ tool: BuiltTool) throws
        -> BuiltTool.Outcome
    {
        try tool.script(
            gate, shell: Self.shell(of: file), environment: ["GITHUB_STEP_SUMMARY": "step.md"])
    }

    @Test("The gates of the workflow files pass and fail with the profile", arguments: files)
    func gates(file: String) throws {
        let gate = try Self.block(of: file, from: "status=0")
        let tool = try BuiltTool()
        defer { tool.remove() }
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
            let run = try run(line, of: file, tool)
            // The draft may have expectations of its own that fail; it has none that fail here.
            #expect(run.status == status, "\(run)")
            let report = try String(
                contentsOf: tool.folder.appending(path: "squall.md"), encoding: .utf8)
            #expect(report.contains(status == 0 ? "not measured · my-api" : "❌ failed · my-api"))
            #expect(report.contains("Nothing changed since the baseline"))
            #expect(
                FileManager.default.fileExists(
                    atPath: tool.folder.appending(path: "squall.xml").path))
        }
    }

    @Test(
        "The gates of the workflow files end with squall's exit code where it cannot run",
        arguments: files)
    func codes(file: String) throws {
        let gate = try Self.block(of: file, from: "status=0")
        let tool = try BuiltTool()
        defer { tool.remove() }
        let load = tool.folder.appending(path: "load", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: load, withIntermediateDirectories: true)
        // No profile; one that is none; one without its baseline; an option that there is not.
        #expect(try run(gate, of: file, tool).status == 74)
        let profile = load.appending(path: "my-api.json")
        try Data("{}".utf8).write(to: profile)
        #expect(try run(gate, of: file, tool).status == 65)
        #expect(try tool.run(["new", "load/other.json"]).status == 0)
        try FileManager.default.removeItem(at: profile)
        try FileManager.default.moveItem(at: load.appending(path: "other.json"), to: profile)
        #expect(try run(gate, of: file, tool).status == 74)
        let misspelt = gate.replacing("--junit", with: "--junjt")
        #expect(try run(misspelt, of: file, tool).status == 64)
    }

    /// What the comment's script does to a pull request with these comments.
    private func calls(_ comments: String) throws -> String? {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let script = try Self.block(of: "github.yml", from: "const fs = require('fs');")
        try Data("# A report".utf8).write(to: tool.folder.appending(path: "squall.md"))
        let run = try tool.script(
            """
            const context = { repo: { owner: 'o', repo: 'r' }, issue: { number: 7 } };
            const say = (name) => async (call) =>
              console.log(name, call.issue_number ?? '', call.comment_id ?? '', call.body[0]);
            const github = {
              paginate: async () => (\(comments)),
              rest: { issues: { updateComment: say('update'), createComment: say('create') } } };
            (async () => {
            \(script)
            })();
            """, shell: ["node"])
        // Where node is not installed: 127.
        return run.status == 127 ? nil : run.output
    }

    @Test("GitHub's comment is the workflow's own, by its marker, and nobody else's is edited")
    func comment() throws {
        let marker = "<!-- squall: load of the token service -->"
        let own = "{ id: 3, user: { type: 'Bot' }, body: '\(marker) old' }"
        let others = """
            { id: 1, user: { type: 'Bot' }, body: 'coverage' },
            { id: 2, user: { type: 'User' }, body: '\(marker) forged' }
            """
        guard let first = try calls("[\(others)]") else { return }
        #expect(first == "create 7  <\n")
        #expect(try calls("[\(others), \(own)]") == "update  3 <\n")
    }

    @Test("GitHub's workflow holds nothing that a fork's pull request lacks or may write")
    func forks() throws {
        let text = try Self.text(of: "github.yml")
        for part in ["vars.", "secrets.", "gh pr", "pull_request_target"] {
            #expect(!text.contains(part), "\(part)")
        }
        #expect(text.contains("head.repo.full_name == github.repository"))
        // An expression in a script would be run as a part of it.
        let scripts = text.split(separator: "\n").filter { $0.hasPrefix("          ") }
        #expect(!scripts.contains { $0.contains("${{") && !$0.contains("key:") })
    }
}
