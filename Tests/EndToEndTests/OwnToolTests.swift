import Foundation
import Testing

@Suite("A tool of one's own: posts-squall")
struct OwnToolTests {
    static let profile = BuiltTool.package
        .appending(path: "Sources/Examples/PostsTool/posts-load.json").path(percentEncoded: false)
    static let size = ["--users", "40", "--for", "5m"]

    private func run(_ words: [String]) throws -> BuiltTool.Outcome {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        return try tool.run(words)
    }

    @Test(
        "An own tool puts its app under load by a profile, and the app's race fails the threshold")
    func race() throws {
        let run = try run(["run", Self.profile] + Self.size)
        #expect(run.status == 1 && run.output.contains("refreshes_per_expired_step"))
        #expect(run.output.contains("repeat: posts-squall run "))
        let careful = ["--set", "populations[0].design=careful"]
        let mended = try self.run(["run", Self.profile] + Self.size + careful)
        #expect(mended.status == 0, "\(mended.output)\(mended.errors)")
    }

    /// The profile with another of the tool's apps, which has the same people.
    private func file(of app: String, in tool: BuiltTool) throws -> String {
        let text = try String(contentsOfFile: Self.profile, encoding: .utf8)
        let file = tool.folder.appending(path: "\(app).json")
        try text.replacing("\"app\": \"posts\"", with: "\"app\": \"\(app)\"")
            .write(to: file, atomically: true, encoding: .utf8)
        return file.path(percentEncoded: false)
    }

    private func digest(of app: String) throws -> Substring? {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let run = try tool.run(["run", file(of: app, in: tool)] + Self.size)
        #expect(run.status == 1 && run.output.contains("refreshes_per_expired_step"), "\(run)")
        return run.output.firstMatch(of: /digest ([0-9a-f]+)/)?.1
    }

    @Test("A client written in three ways makes the same calls at the same nanoseconds")
    func threeWays() throws {
        let behindNetwork = try #require(try digest(of: "posts"))
        #expect(try digest(of: "posts-plain") == behindNetwork)
        #expect(try digest(of: "posts-callbacks") == behindNetwork)
    }

    @Test("Plain URLSession, queues and callbacks have the same bytes in two processes")
    func sameBytesOfSystem() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        for app in ["posts-plain", "posts-callbacks"] {
            let check = try tool.run(["check", file(of: app, in: tool)] + Self.size)
            #expect(check.status == 0, "\(check.output)\(check.errors)")
        }
    }

    @Test("A declared service takes the place of the tool's own on its origin")
    func takenOrigin() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let service = #"backend.service={"endpoints":[{"name":"items","path":"/items"}]}"#
        let run = try tool.run(["run", Self.profile] + Self.size + ["--set", service])
        #expect([0, 1].contains(run.status) && !run.output.contains("addItem"), "\(run)")
    }

    @Test("A store that all users share is the first finding, with the number of users it served")
    func oneStore() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let file = try file(of: "posts-mistaken", in: tool)
        let design = ["--set", "populations[0].design=oneStore"]
        let run = try tool.run(["run", file] + Self.size + design)
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains(/requests with another user's token/), "\(run.output)")
        #expect(run.output.contains("one instance of TokenStore served 40 users"))
    }

    @Test("A session that a static keeps is named with how many it served")
    func oneSession() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let file = try file(of: "posts-mistaken", in: tool)
        let design = ["--set", "populations[0].design=oneSession"]
        let run = try tool.run(["run", file] + Self.size + design)
        #expect(run.output.contains("one instance of URLSession served 40 users"), "\(run)")
    }

    @Test("Code that leaves the world ends the run with user, step and way out")
    func escape() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let file = try file(of: "posts-mistaken", in: tool)
        let design = ["--set", "populations[0].design=systemEvent"]
        let run = try tool.run(["run", file] + Self.size + design)
        #expect(run.status == 70, "\(run)")
        let words = /DispatchSource .* by user \d+ in step 0, read · main\. A world has timers/
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test("Two screens that load at once are not taken for one another by an exploration")
    func overlappingSteps() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let file = try file(of: "posts-plain", in: tool)
        let acts = #"""
            "explore": { "schedules": 200, "acts": [
              { "user": 0, "at": "3m", "do": "step", "what": "read.main" },
              { "user": 0, "at": "3m50ms", "do": "step", "what": "read.again" } ] },
            "thresholds"
            """#
        try String(contentsOfFile: file, encoding: .utf8).replacing("\"thresholds\"", with: acts)
            .write(toFile: file, atomically: true, encoding: .utf8)
        let careful = ["--set", "populations[0].design=careful"]
        let mended = try tool.run(["explore", file] + careful)
        #expect(!mended.output.contains("✗"), "\(mended.output)\(mended.errors)")
        let naive = try tool.run(["explore", file])
        #expect(naive.status == 1 && naive.output.contains("✗ S1"), "\(naive)")
    }

    @Test("A run of an own tool has the same bytes in two processes")
    func sameBytes() throws {
        let check = try run(["check", Self.profile] + Self.size)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "An own tool's app and service stand beside the built-in ones",
        arguments: [
            (["help", "journeys"], "posts: The example client"),
            (["help", "service"], "GET /profile"), (["schema"], "\"posts\""),
            (["validate", profile], "500 users"),
        ])
    func vocabulary(words: [String], part: String) throws {
        let outcome = try run(words)
        #expect(outcome.status == 0 && outcome.output.contains(part), "\(outcome)")
    }
}
