import Foundation
import Testing

@Suite("The end of every command")
struct EndOfCommandTests {
    /// A command, its options that name a file, and what its answer and its results show.
    struct Case: CustomTestStringConvertible, Sendable {
        let words: [String]
        let options: [String]
        let answer: String
        /// A file of its results; empty where it keeps none.
        var kept = ""
        var testDescription: String { words.prefix(2).joined(separator: " ") }
    }

    private static let small = ["--users", "20", "--for", "30s"]

    @Test(
        "A file that cannot be written is named and costs exit 74, never answer or results",
        arguments: [
            Case(
                words: ["run", "quick"] + small,
                options: ["--junit", "--summary", "--markdown", "--log", "--journal"],
                answer: "quick", kept: "quick/latest/summary.json"),
            Case(
                words: ["run", "quick", "quick-outfits"] + small, options: ["--junit"],
                answer: "quick-outfits",
                kept: "quick-outfits/latest/summary.json"),
            Case(
                words: ["serve", "quick", "--port", "0", "--for", "1s", "--speed", "50"],
                options: ["--session", "--junit"], answer: "no request arrived",
                kept: "quick/serve/summary.json"),
            Case(
                words: ["fit", "access.log", "--no-check", "--force"], options: ["-o", "--page"],
                answer: "my-api"),
            Case(
                words: ["drill", "scrolly", "--drill", "expiredToken", "--schedules", "1"],
                options: ["--junit", "--page"], answer: "expiredToken"),
            Case(
                words: ["trend", "summary.json"], options: ["--page", "--csv"], answer: "release"),
        ])
    func fullDevice(each: Case) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        try Self.prepare(tool, for: each)
        for option in each.options {
            let outcome = try tool.run(each.words + [option, "/dev/full"])
            #expect(outcome.status == 74, "\(option): \(outcome.errors)")
            #expect(outcome.errors.contains("cannot write /dev/full"), "\(option)")
            // A fitted profile is named after its file.
            let answer = option == "-o" ? "full" : each.answer
            #expect(outcome.output.contains(answer), "\(option): \(outcome.output)")
            guard !each.kept.isEmpty else { continue }
            let kept = tool.folder.appending(path: "Results/\(each.kept)")
            #expect((try? Data(contentsOf: kept))?.isEmpty == false, "\(option)")
            try FileManager.default.removeItem(at: tool.folder.appending(path: "Results"))
        }
    }

    @Test("A driven run and a probe lose nothing to their files, and no reader that leaves does")
    func live() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let script = """
            squall drive quick --target "$base" --users 20 --for 3s --log /dev/full > drive
            echo "drive $?: $(ls Results/quick/latest/summary.json)"
            for option in -o --page; do
                squall probe "$base" --profile quick --for 10s --max-requests 30 --burst 0 \\
                    $option /dev/full > probe; echo "probe $option $?: $(wc -c < probe)"
            done
            { squall run quick --users 20 --for 30s --junit j.xml; echo "run $?" >&2; } | true
            tail -c 14 j.xml
            """
        let outcome = try tool.script(ServeTests.serving("quick", script), shell: ["sh"])
        #expect(outcome.output.contains("drive 74: Results/quick/latest/summary.json"))
        for option in ["-o", "--page"] {
            let answer = try Regex("probe \(option) 74: [1-9][0-9][0-9]+")
            #expect(outcome.output.contains(answer), "\(outcome)")
        }
        #expect(outcome.errors.contains("cannot write /dev/full"))
        #expect(outcome.errors.firstMatch(of: /run [01]\n/) != nil, "\(outcome.errors)")
        #expect(outcome.output.contains("</testsuites>"))
    }

    @Test(
        "Two signals that a wrapper makes of one keep a session and a run",
        arguments: [
            (["serve", "quick", "--port", "0"], "kill -INT $p; kill -INT $p", "0"),
            (["serve", "quick", "--port", "0"], "kill -TERM $p; kill -INT $p", "0"),
            (
                ["run", "quick", "--users", "40", "--for", "700h"], "kill -INT $p; kill -INT $p",
                "130"
            ),
        ])
    func together(words: [String], signals: String, status: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let script = """
            squall \(words.joined(separator: " ")) > told 2> errors & p=$!
            for turn in $(seq 600); do
                ls -d Results/quick/.unfinished > /dev/null 2>&1 && break; sleep 0.1
            done
            sleep 1
            \(signals)
            wait $p; echo "status $?"
            find Results -name summary.json
            """
        // A background job of a shell without job control ignores SIGINT.
        let outcome = try tool.script("set -m\n" + script, shell: ["bash"])
        #expect(outcome.output.contains("status \(status)\n"), "\(outcome)")
        #expect(outcome.output.contains("/summary.json"), "\(outcome)")
        let errors = try String(
            contentsOf: tool.folder.appending(path: "errors"), encoding: .utf8)
        #expect(errors.contains("note: ending, results are kept; a second signal after a second"))
    }

    @Test("An open request does not cost a session that a second signal ends")
    func openRequest() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let script = """
            exec 3<>/dev/tcp/127.0.0.1/${base##*:}
            printf 'POST /x HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 9\\r\\n\\r\\n' >&3
            sleep 0.3
            printf 'GET /_squall/quiet?for=9s HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' >&3
            kill -INT $server; sleep 1.3; kill -INT $server
            wait $server; echo "status $?"; find Results -name summary.json
            """
        let outcome = try tool.script(
            "set -m\n" + ServeTests.serving("quick", script), shell: ["bash"])
        #expect(outcome.output.contains("/summary.json"), "\(outcome)")
    }

    private static func prepare(_ tool: BuiltTool, for each: Case) throws {
        switch each.words[0] {
        case "fit":
            let lines = (0..<90).map { number in
                "192.0.2.\(number % 9) - - [28/Nov/2026:10:\(10 + number / 30):\(10 + number % 30)"
                    + " +0000] \"GET /posts HTTP/1.1\" 200 512 \"-\" \"a\"\n"
            }
            try lines.joined().write(
                to: tool.folder.appending(path: "access.log"), atomically: true, encoding: .utf8)
        case "trend":
            _ = try tool.run(["run", "quick", "--summary", "summary.json"] + small)
        default: break
        }
    }
}
