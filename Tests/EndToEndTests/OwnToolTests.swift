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

    @Test("Its app is put under load by a profile, and its race fails the threshold")
    func race() throws {
        let run = try run(["run", Self.profile] + Self.size)
        #expect(run.status == 1 && run.output.contains("refreshes_per_expired_step"))
        let careful = ["--set", "populations[0].design=careful"]
        let mended = try self.run(["run", Self.profile] + Self.size + careful)
        #expect(mended.status == 0, "\(mended.output)\(mended.errors)")
    }

    @Test("The same run in two processes has the same bytes")
    func sameBytes() throws {
        let check = try run(["check", Self.profile] + Self.size)
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test(
        "Its app and its service stand beside the built-in ones",
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
