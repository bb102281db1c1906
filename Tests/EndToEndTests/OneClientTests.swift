import Foundation
import Testing

/// One client in three forms: Share.D's token code as it is in the built-in app, declared in a
/// profile, and written on `URLSession`.
@Suite("One client, written in three ways")
struct OneClientTests {
    /// What happens to its tokens.
    enum Course: String, CaseIterable {
        /// One expiry; then the session is dead; or tokens die on the way.
        case good, dead, loop
    }

    private static let forms = [
        (app: "shareD", journey: "browse"), (app: "declared", journey: "look"),
        (app: "posts-asking-twice", journey: "look"),
    ]

    private static let declared = #"""
        "apps": [{ "name": "declared", "tokens": {
            "notices": ["status"], "singleFlight": false, "refreshesLate": true,
            "resendsWithoutLimit": true, "refreshNotices": true, "asksTwice": true,
            "failedRefresh": "keep" },
          "screens": [{ "name": "posts", "calls": [["posts"]] }],
          "journeys": [{ "name": "look", "steps": ["posts"] }] }],
        """#

    private static func profile(
        _ app: String, _ journey: String, _ course: Course, duration: String = "200s"
    ) -> String {
        let isLoop = course == .loop
        let way = isLoop ? "600ms" : "40ms"
        let service =
            #""service": { "origin": "https://declared.example.com","#
            + #" "endpoints": [{ "name": "posts", "path": "/posts" }] },"#
        let expiry = #"{ "kind": "expireAllTokens", "at": "45s" }"#
        let dead = """
            , { "kind": "revokeRefreshTokens", "at": "100s" },
            { "kind": "expireAllTokens", "at": "101s" }
            """
        return """
            { "schemaVersion": 1, "duration": "\(duration)", \(app == "declared" ? declared : "")
              "populations": [{ "app": "\(app)", "users": 4, "journeys": { "\(journey)": 1 },
                "arriveOver": "1s", "thinkTime": "50ms", "away": "30s", "patience": "10s" }],
              "backend": { \(app == "declared" ? service : "")
                "tokens": { "accessLifetime": "\(isLoop ? "1s" : "1h")" },
                "network": { "up": "\(way)", "down": "\(way)" },
                "server": { "workers": 64, "serviceTime": "5ms" },
                "faults": [\(isLoop ? "" : expiry)\(course == .dead ? dead : "")] } }
            """
    }

    /// The refreshes per expiry, the sentence about them, and what a fit finds in the log.
    private func counted(
        _ app: String, _ journey: String, _ course: Course
    ) throws -> (run: Double, sentence: String, fit: Double, loops: Double) {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let file = tool.folder.appending(path: "client.json")
        try Data(Self.profile(app, journey, course).utf8).write(to: file)
        let log = tool.folder.appending(path: "log.jsonl").path(percentEncoded: false)
        let words = ["run", file.path(percentEncoded: false), "--json", "--log", log]
        let run = try tool.run(words)
        let ratio = run.output.firstMatch(of: /"refreshesPerExpiry" : ([0-9.]+)/)?.1
        let sentence = run.output.firstMatch(of: /"((?:No refresh|Refresh) [^"(]+)/)?.1
        let fit = try tool.run(["fit", log, "--no-check"])
        let fitted = fit.output.firstMatch(of: /refreshes per expiry +([0-9.]+)/)?.1
        let loops = fit.output.firstMatch(of: /calls in a refresh loop +([0-9.]+)/)?.1
        return (
            try #require(ratio.flatMap { Double($0) }, "\(run)"), String(sentence ?? ""),
            try #require(fitted.flatMap { Double($0) }, "\(fit)"),
            try #require(loops.flatMap { Double($0) }, "\(fit)")
        )
    }

    @Test(
        "A run and a fit of its log count the same for one client written in three ways",
        arguments: Course.allCases)
    func oneNumber(course: Course) throws {
        let counts = try Self.forms.map { try counted($0.app, $0.journey, course) }
        for count in counts {
            // Where a loop is cut off when the run ends depends on milliseconds.
            let slack = course == .loop ? 0.01 : 0
            #expect(abs(count.run / counts[0].run - 1) <= slack, "\(counts)")
            #expect(count.sentence == counts[0].sentence, "\(counts)")
            // Beside a network as slow as this a server's log does not tell which token was shown.
            #expect(course == .loop ? count.loops >= 4 : count.fit == count.run, "\(counts)")
        }
        #expect(course != .dead || counts[0].run > 3)
        #expect(course != .loop || counts[0].sentence.hasPrefix("Refresh loop: "))
    }

    /// What a command with the profile of each form prints.
    private func told(
        _ course: Course, duration: String, _ words: (String) -> [String]
    ) throws -> [String] {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        return try Self.forms.map { form in
            let file = tool.folder.appending(path: "client.json")
            try Data(
                Self.profile(form.app, form.journey, course, duration: duration).utf8
            ).write(to: file)
            return try tool.run(words(file.path(percentEncoded: false))).output
        }
    }

    @Test("A drill finds the same in one client written in three ways")
    func drills() throws {
        let drills = ["expiredToken", "alwaysExpired", "lateRefusal", "refreshRefused"]
        let told = try told(.good, duration: "200s") { file in
            ["drill", file, "--server", "strict", "--schedules", "1", "--json"]
                + drills.flatMap { ["--drill", $0] }
        }
        let outcomes = told.map { text in
            text.matches(of: /"outcome" : "([a-zA-Z]+)"/).map { String($0.1) }
        }
        #expect(outcomes == outcomes.map { _ in drills.map { _ in "broken" } }, "\(told)")
        // A client that never stops is told so, however it is written.
        #expect(told.allSatisfy { $0.contains("redundant refresh: R0 was sent again") })
    }

    @Test("An exploration finds the loop of one client written in three ways")
    func explorations() throws {
        let told = try told(.loop, duration: "12s") { file in
            ["explore", file, "--schedules", "2", "--threads", "1", "--first", "--json"]
                + ["--invariant", "L3"]
        }
        for text in told {
            #expect(text.contains("L3") && text.contains("refused as expired"), "\(text)")
        }
    }

    @Test("Steps that still wait when a schedule ends go on in its world, not beside it")
    func endsInside() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let file = tool.folder.appending(path: "loop.json")
        let profile = Self.profile("posts-asking-twice", "look", .loop, duration: "12s")
        try Data(profile.utf8).write(to: file)
        let words = ["explore", file.path(percentEncoded: false), "--threads", "1", "--json"]
        let told = try (0..<3).map { _ in
            let run = try tool.run(words + ["--schedules", "10", "--invariant", "L3"])
            #expect(run.status == 1, "\(run.errors)")
            return run.output
        }
        #expect(Set(told).count == 1)
    }

    @Test("squall apps measures own code on URLSession as it does Share.D's")
    func apps() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        let answers = try tool.run(["apps", "posts-asking-twice"]).output
        // What the table of Share.D is known to say.
        #expect(answers.contains(#/refreshes for 1 / 2 / 8 calls +1 / 2 / 8\n/#), "\(answers)")
        #expect(answers.contains(#/refresh token is dead +2 / 4 / 16\n/#))
        #expect(answers.contains(#/if tokens stay expired +endless\n/#))
        #expect(answers.contains(#/detects an expired token by +its own code\n/#))
    }
}
