import Foundation
import Testing

@Suite("A real server under the load of a profile")
struct DriveTests {
    @Test(
        "A driven server gets every request; the reference keeps its tokens, the naive one storms",
        arguments: [(design: "asBuilt", storms: false), (design: "naive", storms: true)])
    func served(design: String, storms: Bool) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        try Self.profile.write(
            to: tool.folder.appending(path: "load.json"), atomically: true, encoding: .utf8)
        let drive =
            "squall drive load.json --target \"$base\" --set 'populations[0].design=\(design)'"
            + " --summary driven.json --log driven.jsonl; squall fit driven.jsonl --no-check --full"
        let outcome = try tool.script(
            ServeTests.serving("load.json", drive) + "\ncat told", shell: ["sh"])
        let kept = try Data(contentsOf: tool.folder.appending(path: "driven.json"))
        let summary = try JSONDecoder().decode(Summary.self, from: kept)
        // Each request left this process, and reached the other.
        #expect(outcome.output.contains("requests: \(summary.generator.sent)\n"))
        #expect(summary.generator.sent > 30 && summary.populations[0].counts.failedSteps == 0)
        #expect(summary.populations[0].counts.expiries > 3)
        #expect((summary.populations[0].counts.redundantRefreshes > 0) == storms)
        #expect(outcome.output.contains("✗ S1") == storms, "\(outcome.output)")
        let log = try String(
            contentsOf: tool.folder.appending(path: "driven.jsonl"), encoding: .utf8)
        #expect(log.split(separator: "\n").count == summary.generator.sent)
        #expect(!log.contains("password") && !log.contains("_token"))
        #expect(outcome.output.contains("NOT RELIABLE  my-api: "))
        #expect(outcome.errors.contains("Limits: 4 users (at most 1 000), 1 000 requests/s, 4s"))
    }

    @Test("Two generators drive their parts of one profile; a client's secret is kept nowhere")
    func shared() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        try Self.profile.write(
            to: tool.folder.appending(path: "load.json"), atomically: true, encoding: .utf8)
        let drive = """
            export SQUALL_CLIENT_SECRET=s3cret/of%clients
            part() {
              squall drive load.json --target "$base" --shard $1/2 --client-id app \
                --log part$1.jsonl
            }
            { part 1; touch ended; } &
            part 2
            while test ! -e ended; do sleep 0.1; done
            squall merge Results/load/drive-part-*-of-2 --json > merged.json
            """
        let outcome = try tool.script(
            ServeTests.serving("load.json", drive) + "\ncat told", shell: ["sh"])
        let kept = try Data(contentsOf: tool.folder.appending(path: "merged.json"))
        let summary = try JSONDecoder().decode(Summary.self, from: kept)
        #expect(outcome.output.contains("requests: \(summary.generator.sent)\n"), "\(outcome)")
        #expect(summary.populations[0].counts.failedSteps == 0)
        #expect(summary.populations[0].counts.expiries > 3)
        #expect(outcome.errors.contains("Limits: 2 of 4 users, part 2 of 2 (at most 1 000), 500"))
        #expect(outcome.output.contains("part 1 of 2: "))
        let logs = try (1...2).map {
            try String(contentsOf: tool.folder.appending(path: "part\($0).jsonl"), encoding: .utf8)
                .split(separator: "\n").count
        }
        #expect(logs[0] + logs[1] == summary.generator.sent && !logs.contains(0))
        for text in try Self.texts(below: tool.folder) + [outcome.output, outcome.errors] {
            for secret in ["s3cret", "YXBwOnMzY3JldCUyRm9mJTI1Y2xpZW50cw=="] {
                #expect(!text.contains(secret))
            }
        }
    }

    /// The text of every file below a folder but that of the script, which sets the variable.
    private static func texts(below folder: URL) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(
            atPath: folder.path(percentEncoded: false))
        return paths.filter { !$0.hasPrefix("Profiles") && $0 != "script" }.compactMap {
            try? String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
    }

    @Test("An app of one's own is driven with its URLSession, and its race is seen by the server")
    func ownApp() throws {
        let tool = try BuiltTool(named: "posts-squall")
        defer { tool.remove() }
        try Self.ownProfile.write(
            to: tool.folder.appending(path: "own.json"), atomically: true, encoding: .utf8)
        let drive = "posts-squall drive own.json --target \"$base\" --summary driven.json"
        let outcome = try tool.script(
            ServeTests.serving("own.json --full", drive, isReady: "^Status", by: "posts-squall")
                + "\ncat told", shell: ["sh"])
        let kept = try Data(contentsOf: tool.folder.appending(path: "driven.json"))
        let summary = try JSONDecoder().decode(Summary.self, from: kept)
        #expect(outcome.output.contains("requests: \(summary.generator.sent)\n"), "\(outcome)")
        #expect(summary.generator.sent > 20 && summary.populations[0].counts.failedSteps == 0)
        #expect(summary.populations[0].counts.redundantRefreshes > 0)
        #expect(outcome.output.contains("✗ S4") || outcome.output.contains("✗ S1"))
    }

    private static let ownProfile = """
        { "schemaVersion": 1, "duration": "4s", "drain": "5s",
          "populations": [{ "app": "posts-plain", "users": 4, "journeys": { "read": 1 },
            "thinkTime": "400ms", "away": "400ms", "arriveOver": "200ms" }],
          "backend": { "tokens": { "accessLifetime": "1s" },
            "network": { "up": "10ms", "down": "10ms" } } }
        """

    private struct Summary: Decodable {
        let generator: Generator
        let populations: [Population]

        struct Generator: Decodable {
            let sent: Int
        }

        struct Population: Decodable {
            let counts: Counts
        }

        struct Counts: Decodable {
            let expiries, redundantRefreshes, failedSteps: Int
        }
    }

    @Test(
        "squall drive refuses another machine, too large a load and a missing file",
        arguments: [
            ("--target http://192.0.2.1:80", 64, "--i-own 192.0.2.1"),
            ("--target http://192.0.2.1:80 --i-own 192.0.2.2", 64, "--i-own 192.0.2.1"),
            ("--target ftp://127.0.0.1", 64, "must begin with http:// or https://"),
            ("", 64, "--target http://127.0.0.1:8080"),
            ("--target http://127.0.0.1:1 --max-users 3", 64, "give --users 3"),
            ("--target http://127.0.0.1:1 --max-time 2s", 64, "give --for 2s"),
            ("--target http://127.0.0.1:1", 74, "127.0.0.1:1 cannot be reached"),
            ("--target http://127.0.0.1:1 --ca-file load.json", 64, "is for an https address"),
            ("--target https://127.0.0.1:1 --ca-file nope", 74, "--ca-file: cannot read nope"),
            ("--target http://127.0.0.1:1 --shard 1/5", 64, "at most 4 parts"),
            (
                "--target http://127.0.0.1:1 --shard 1/4 --max-rate 3", 64,
                "give a --max-rate of 4 or more"
            ),
            ("--target http://127.0.0.1:1 --shard 3/2", 64, "i/n with 1 ≤ i ≤ n"),
            ("--target http://127.0.0.1:1 --shard 1/2 --json", 64, "--json is about the whole"),
            (
                "--target http://127.0.0.1:1 --shard 1/2 --threshold hangs:count==0_after_1s", 64,
                "leave its window out"
            ),
            (
                "--target http://127.0.0.1:1 --shard 1/2 --threshold hangs:count==0_abort", 64,
                "would end one part alone"
            ),
            ("--target http://127.0.0.1:1 --client-id web", 64, "SQUALL_CLIENT_SECRET"),
            ("--target http://127.0.0.1:1 --client-auth basic", 64, "name it: --client-id"),
            ("--target http://127.0.0.1:1 --client-auth query", 64, "basic or body"),
        ] as [(String, Int32, String)])
    func refused(options: String, status: Int32, message: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        try Self.profile.write(
            to: tool.folder.appending(path: "load.json"), atomically: true, encoding: .utf8)
        // A threshold has spaces, which are written as underscores here.
        let words = options.split(separator: " ").map {
            $0.hasPrefix("hangs") ? $0.split(separator: "_").joined(separator: " ") : String($0)
        }
        let outcome = try tool.run(["drive", "load.json"] + words)
        #expect(outcome.status == status && outcome.errors.contains(message), "\(outcome.errors)")
        let results = tool.folder.appending(path: "Results/load/drive")
        #expect(!FileManager.default.fileExists(atPath: results.path(percentEncoded: false)))
    }

    /// Four users, whose three calls at once find their tokens expired every second.
    private static let profile = """
        { "schemaVersion": 1, "duration": "4s", "drain": "5s",
          "populations": [{ "app": "mine", "users": 4, "journeys": { "read": 1 },
            "thinkTime": "400ms", "away": "400ms", "arriveOver": "200ms",
            "startsSignedIn": false }],
          "apps": [{ "name": "mine", "tokens": {},
            "screens": [{ "name": "home", "calls": [["posts", "profile", "notes"]] }],
            "designs": [{ "name": "naive",
              "tokens": { "singleFlight": false, "refreshesLate": true } }],
            "journeys": [{ "name": "read", "steps": ["home"] }] }],
          "backend": { "tokens": { "accessLifetime": "1s" },
            "network": { "up": "20ms", "down": "20ms" },
            "server": { "serviceTime": "10ms" },
            "service": { "endpoints": [
              { "name": "posts", "path": "/posts" }, { "name": "profile", "path": "/me" },
              { "name": "notes", "path": "/me/notes/{id}" }] } } }
        """
}
