import Foundation
import Testing

@Suite("A served backend and real clients")
struct ServeTests {
    @Test(
        "A right client in Python is clean and a naive one found, by the control API",
        .enabled(if: hasPython, "python3 is not installed"),
        arguments: [(option: "", passes: true), (option: "--naive", passes: false)])
    func python(option: String, passes: Bool) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let client = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients")
            .appending(path: "test_refresh.py").path(percentEncoded: false)
        let outcome = try tool.script(
            Self.serving("quick", "python3 '\(client)' \"$base\" \(option)"), shell: ["sh"])
        #expect(outcome.output.contains(passes ? "passed" : "failed"), "\(outcome.output)")
        #expect(outcome.output.contains("S1 user 1") != passes)
        #expect(outcome.output.contains(passes ? "client 0, server 0" : "client 1, server 1"))
    }

    @Test(
        "Drills that the control API begins tell a right client in Python from a naive one",
        .enabled(if: hasPython, "python3 is not installed"),
        arguments: [(option: "", passes: true), (option: "--naive", passes: false)])
    func drills(option: String, passes: Bool) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let client = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients")
            .appending(path: "test_drills.py").path(percentEncoded: false)
        let outcome = try tool.script(
            Self.serving("quick --speed 4", "python3 -B '\(client)' \"$base\" \(option)"),
            shell: ["sh"])
        let word = passes ? "passes" : "broken S1 singleFlight"
        #expect(outcome.output.contains("expiredToken \(word)"), "\(outcome.output)")
        #expect(outcome.output.contains(passes ? "client 0, server 0" : "client 1, server 1"))
        let kept = tool.folder.appending(path: "Results/quick/serve/summary.json")
        let summary = try String(contentsOf: kept, encoding: .utf8)
        #expect(summary.contains("\"drill\" : \"expiredToken\""))
    }

    @Test(
        "A proxied backend's bytes are unchanged, and naive and right clients are told apart",
        .enabled(if: hasPython, "python3 is not installed"),
        arguments: [
            (option: "", scheme: "http"), (option: "--naive", scheme: "http"),
            (option: "", scheme: "https"),
        ])
    func upstream(option: String, scheme: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let clients = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients")
            .path(percentEncoded: false)
        let command = "python3 '\(clients)/test_upstream.py' \"$base\" $real \(option)"
        let (passes, certificate) = (option.isEmpty, "'\(clients)/localhost.pem'")
        let isSecure = scheme == "https"
        let trusting = isSecure ? " --ca-file \(certificate)" : ""
        let script = """
            python3 '\(clients)/upstream.py' \(isSecure ? certificate : "") > port &
            upstream=$!
            while ! test -s port && kill -0 $upstream; do :; done
            real=\(scheme)://127.0.0.1:$(cat port)
            \(Self.serving(
                "--upstream $real\(trusting) --session log --record seen.json", command,
                isReady: "^Expire"))
            squall replay log --json > again
            squall validate seen.json
            \(isSecure ? "squall drive quick --target $real --users 40 --for 20s" : "")
            # The test runner leaves other signals blocked.
            kill -KILL $upstream
            """
        let outcome = try tool.script(script, shell: ["sh"])
        let told = outcome.output + outcome.errors
        #expect(outcome.output.contains(passes ? "passed" : "failed"), "\(told)")
        #expect(outcome.output.contains("S1 user") != passes)
        #expect(outcome.output.contains(passes ? "client 0, server 0" : "client 1, server 1"))
        let kept = tool.folder.appending(path: "Results/upstream/serve/summary.json")
        #expect(try !String(contentsOf: kept, encoding: .utf8).contains("secret"))
        #expect(try Self.session(kept) == Self.session(tool.folder.appending(path: "again")))
        let seen = try String(
            contentsOf: tool.folder.appending(path: "seen.json"), encoding: .utf8)
        #expect(!seen.contains("secret") && !seen.contains("a@b.c"))
        for call in ["login", "refresh"] { #expect(seen.contains(#""path": "/auth/\#(call)""#)) }
        #expect(seen.contains(#""lifetime": "expires_in""#))
        let refusal = "127.0.0.1:[0-9]+ cannot be reached: its certificate is not trusted"
        let isRefused = try Regex(refusal).firstMatch(in: outcome.errors) != nil
        #expect(isRefused == isSecure, "\(outcome.errors)")
    }

    @Test(
        "A saved live session is replayed to the same findings, without sockets",
        .enabled(if: hasPython, "python3 is not installed"))
    func replay() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let client = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients")
            .appending(path: "test_refresh.py").path(percentEncoded: false)
        let naive = "python3 '\(client)' \"$base\" --naive"
        let outcome = try tool.script(
            Self.serving("quick --session log", naive) + """

                ls -l log
                squall replay log --json > once; echo "replay $?"
                squall replay log --json > twice; cmp once twice && echo equal
                """, shell: ["sh"])
        #expect(outcome.output.contains("replay 1\nequal"), "\(outcome.output)")
        #expect(outcome.output.contains("-rw------- "))
        let live = try Self.session(tool.folder.appending(path: "Results/quick/serve/summary.json"))
        let replayed = try Self.session(tool.folder.appending(path: "once"))
        #expect(live == replayed && live.digest.count == 16 && !live.findings.isEmpty)
    }

    /// What a replay must find again.
    private struct Session: Decodable, Equatable {
        let digest: String
        let requests: Int
        let findings: [Finding]

        struct Finding: Decodable, Equatable {
            let text: String
            let requests: [Int]
            let timeline: [String]
        }
    }

    private static func session(_ file: URL) throws -> Session {
        try JSONDecoder().decode(Session.self, from: Data(contentsOf: file))
    }

    @Test("The lines that squall serve prints work when pasted", .enabled(if: hasCurl, "no curl"))
    func curlLines() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let pasted = "grep -E '^(TOKENS=|curl)' told > lines; sh lines"
        let outcome = try tool.script(Self.serving("quick", pasted), shell: ["sh"])
        #expect(outcome.output.contains(#""email":"reader0@squall.test""#))
        #expect(outcome.output.contains(#"{"data":[{"post_id""#))
        #expect(outcome.output.matches(of: /"accessToken":/).count == 2, "\(outcome.output)")
        #expect(outcome.output.contains("client 0, server 0"))
    }

    @Test("Drills that no app took part in are not judged, which is exit code 1")
    func notJudged() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(
            ["serve", "quick", "--port", "0", "--drill", "expiredToken", "--drill-wait", "1s"]
                + ["--quiet"])
        #expect(outcome.status == 1, "\(outcome)")
        #expect(outcome.output.contains("NOT JUDGED  quick: 1 drill: 0 broken, 0 kept, 1 not"))
        #expect(outcome.output.split(separator: "\n").count == 3, "\(outcome.output)")
    }

    @Test("squall serve ends by itself, keeps its results, and judges no client when none came")
    func empty() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(
            ["serve", "quick", "--port", "0", "--for", "1s", "--speed", "100"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(": no request arrived, so nothing was judged\n"))
        #expect(!outcome.output.contains("not tested") && !outcome.output.contains("requests: 0"))
        let kept = tool.folder.appending(path: "Results/quick/serve")
        for file in ["report.html", "summary.json", "junit.xml", "profile.json", "manifest.json"] {
            #expect((try? Data(contentsOf: kept.appending(path: file))) != nil, "\(file)")
        }
    }

    /// A script that serves a profile while a command runs, which finds the address in `$base`.
    static func serving(
        _ profile: String, _ command: String, isReady: String = "^curl", by tool: String = "squall"
    ) -> String {
        """
        \(tool) serve \(profile) --port 0 --for 2m > told 2>&1 &
        server=$!
        base=
        while test -z "$base" && kill -0 $server; do
            base=$(grep -q '\(isReady)' told && sed -n 's/^Serving .* at //p' told)
        done
        \(command)
        client=$?
        kill -TERM $server
        wait $server
        echo "client $client, server $?"
        """
    }

    private static let hasPython = has("python3")
    private static let hasCurl = has("curl")

    private static func has(_ program: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
        }
    }
}
