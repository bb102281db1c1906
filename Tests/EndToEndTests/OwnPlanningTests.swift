import Foundation
import Testing

/// Commands of many runs, over the example client behind a network that it is given, on plain
/// `URLSession`, and on callbacks and queues.
@Suite("Many runs of a client as it is")
struct OwnPlanningTests {
    static let size = ["--users", "12", "--for", "2m"]
    static let commands: [[String]] = [
        ["run", "load.json", "--replications", "3"],
        ["sweep", "load.json", "--vary", "users=6,12", "--figure", "p95", "--replications", "2"],
        [
            "capacity", "load.json", "--by", "step_duration: p(95)<900ms", "--from", "8",
            "--to", "32", "--precision", "50%",
        ],
    ]

    /// A folder with the profile of an app; the name of its file is the same for all of them.
    private func tool(for app: String) throws -> BuiltTool {
        let tool = try BuiltTool(named: "posts-squall")
        let text = try String(contentsOfFile: OwnToolTests.profile, encoding: .utf8)
        try text.replacing("\"app\": \"posts\"", with: "\"app\": \"\(app)\"")
            .write(
                to: tool.folder.appending(path: "load.json"), atomically: true, encoding: .utf8)
        return tool
    }

    /// What a command says, without where its files are.
    private func said(_ words: [String], by tool: BuiltTool) throws -> String {
        let outcome = try tool.run(words + Self.size)
        #expect(outcome.status <= 1 && outcome.errors.hasPrefix("results: "), "\(outcome)")
        let lines = outcome.output.split(separator: "\n").filter { !$0.hasPrefix("results:") }
        #expect(lines.count > 5)
        return lines.joined(separator: "\n")
    }

    /// Every file below a folder that is equal for equal runs, by its path.
    private func files(below name: String, of tool: BuiltTool) throws -> [String: Data] {
        let folder = tool.folder.appending(path: name)
        var files: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path()) {
            let isOwn = path.hasSuffix("manifest.json") || path.contains("/.")
            files[path] = isOwn ? nil : try? Data(contentsOf: folder.appending(path: path))
        }
        #expect(files.count > 2)
        return files
    }

    @Test(
        "Replications, a sweep and a capacity search say the same of one client in three ways",
        arguments: commands)
    func threeWays(words: [String]) throws {
        let texts = try ["posts", "posts-plain", "posts-callbacks"].map { app in
            let tool = try tool(for: app)
            defer { tool.remove() }
            return try said(words, by: tool)
        }
        #expect(texts[1] == texts[0])
        #expect(texts[2] == texts[0])
    }

    @Test("A capacity of zero names the threshold that breaks, not one with few samples")
    func never() throws {
        let tool = try tool(for: "posts-plain")
        defer { tool.remove() }
        let words = ["capacity", "load.json", "--from", "1", "--to", "4"]
        let text = try said(words, by: tool).split(separator: "\n").joined(separator: " ")
        #expect(text.contains("every threshold: the number of refreshes per expired"), "\(text)")
    }

    @Test(
        "Any number of threads brings the same bytes, and so do two shards that are merged",
        arguments: ["posts-plain", "posts-callbacks"])
    func threadsAndShards(app: String) throws {
        let tool = try tool(for: app)
        defer { tool.remove() }
        let words = Self.commands[0]
        let text = try said(words + ["--threads", "1", "--out", "one"], by: tool)
        let bytes = try files(below: "one", of: tool)
        #expect(try said(words + ["--threads", "3", "--out", "three"], by: tool) == text)
        #expect(try files(below: "three", of: tool) == bytes)
        for part in 1...2 {
            let shard = ["--shard", "\(part)/2", "--out", "part-\(part)"]
            let outcome = try tool.run(words + Self.size + shard)
            #expect(outcome.status == 0, "\(outcome)")
        }
        let parts = (1...2).map { "part-\($0)/load/run-part-\($0)-of-2" }
        let merged = try tool.run(["merge"] + parts + ["--out", "merged", "--quiet"])
        #expect(merged.status <= 1, "\(merged)")
        let whole = try files(below: "one", of: tool)
        #expect(try files(below: "merged", of: tool) == whole)
    }
}
