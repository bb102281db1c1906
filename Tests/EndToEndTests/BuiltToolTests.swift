import Foundation
import Testing

@Suite("The built program")
struct BuiltToolTests {
    @Test("squall without arguments explains itself on standard error and exits with 64")
    func nothing() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run([])
        #expect(outcome.status == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("squall run quick"))
    }

    @Test("Each exit code that help lists but those of signals is that of some line")
    func exitCodes() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let lines: [(Int32, String)] = [
            (0, "squall run quick --users 20 --for 30s"),
            (1, "squall run quick --users 20 --for 30s --threshold 'hangs:count>0'"),
            (64, "squall nope"), (65, "echo '{' >x.json; squall validate x.json"),
            (70, "squall run Results/quick/latest"),
            (74, "squall validate none.json"),
            (153, "ulimit -f 8; squall run quick --users 20 --for 5m"),
        ]
        for (status, line) in lines {
            if status == 70 { try tool.alterLatest() }
            let outcome = try tool.shell(line)
            #expect(outcome.status == status, "\(line): \(outcome.errors)")
        }
        let noChild = try tool.run(["check", "quick", "--for", "5s"], failing: "spawn:1").0
        #expect(noChild.status == 71, "\(noChild.errors)")
        let help = try tool.run(["help", "exit-codes"]).output
        let listed = help.matches(of: #/(?m)^ +(\d+) /#).compactMap { Int32($0.1) }
        #expect(listed.sorted() == (lines.map(\.0) + [71, 129, 130, 143]).sorted(), "\(help)")
    }

    @Test("A run's JSON on standard output is the file it keeps, and no other byte")
    func json() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(["run", "quick", "--users", "20", "--for", "30s", "--json"])
        #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
        let results = tool.folder.appending(path: "Results/quick")
        let names = try FileManager.default.contentsOfDirectory(atPath: results.path())
        let kept = try Data(contentsOf: results.appending(path: "latest/summary.json"))
        #expect(names.filter { $0 != "latest" }.count == 1)
        #expect(Data(outcome.output.utf8) == kept)
    }

    @Test("A full standard output is exit code 74, with a message")
    func fullOutput() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(["help"], outputTo: "/dev/full")
        #expect(outcome.status == 74)
        #expect(outcome.errors.contains("standard output: No space left on device"))
    }

    @Test(
        "A signal keeps what a run has found, marked partial, and the exit code names it",
        arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func signals(number: Int32, status: Int32) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let words = ["run", "quick", "--users", "50", "--for", "700h", "--quiet"]
        // Before the world is built there is nothing to keep, on a busy machine for a while.
        var (outcome, delay) = (BuiltTool.Outcome(status: 0, output: "", errors: ""), 1_000)
        while !outcome.output.hasPrefix("PARTIAL"), delay < 60_000 {
            outcome = try tool.run(words, signalling: number, afterMilliseconds: delay)
            #expect(outcome.status == status, "\(outcome.errors)")
            delay *= 2
        }
        #expect(outcome.output.hasPrefix("PARTIAL"))
        let kept = tool.folder.appending(path: "Results/quick/latest/summary.json")
        #expect(try Data(contentsOf: kept).count > 0)
    }

    @Test("A limit on the size of files costs the large ones, and says so")
    func fileSize() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.shell(
            "ulimit -f 8; squall run quick --users 20 --for 5m --quiet")
        #expect(outcome.status == 153)
        #expect(outcome.errors.contains("(File too large)"))
        #expect(outcome.output.contains("quick"))
    }

    @Test(
        "A run whose standard streams are closed still keeps whole results",
        arguments: ["<&-", ">&-", "2>&-"])
    func closedStreams(redirection: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        _ = try tool.shell("squall run quick --users 20 --for 30s --quiet \(redirection)")
        let kept = tool.folder.appending(path: "Results/quick/latest/summary.json")
        let text = String(decoding: try Data(contentsOf: kept), as: UTF8.self)
        #expect(text.hasPrefix("{") && text.hasSuffix("}\n"))
    }

    @Test("A run has the same bytes in another folder and another process")
    func repeatable() throws {
        let words = ["run", "quick", "--users", "20", "--for", "30s"]
        let outputs = try (0..<2).map { _ in
            let tool = try BuiltTool()
            defer { tool.remove() }
            return try tool.run(words).output
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].contains("No packet was sent"))
    }

    @Test(
        "The self-test exits with 0 when theory holds and with 1 when services are biased",
        arguments: [("0", 0), ("10", 1)] as [(String, Int32)])
    func selfTest(bias: String, status: Int32) throws {
        let tool = try BuiltTool(named: "squall-dev")
        defer { tool.remove() }
        let outcome = try tool.run(["selftest", "--filter", "M/M/1/1", "--bias", bias])
        #expect(outcome.status == status, "\(outcome.output)")
    }

    @Test("A run with another seed has another digest")
    func seeds() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let digests = try ["1", "2"].map { seed in
            let words = ["run", "quick", "--users", "20", "--for", "30s", "--seed", seed]
            return try tool.run(words).output.split(separator: "digest ").last?.prefix(16)
        }
        #expect(digests[0] != nil && digests[0] != digests[1])
    }
}

@Suite("Every profile of the package")
struct ProfileTests {
    static let names =
        (try? FileManager.default.contentsOfDirectory(
            atPath: BuiltTool.package.appending(path: "Profiles").path()))?
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted() ?? []

    @Test("The built program lists at least the profile quick")
    func some() {
        #expect(ProfileTests.names.contains("quick"))
    }

    @Test("Every profile is valid, and two processes get the same bytes from it", arguments: names)
    func check(name: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        // Some thresholds are about what comes later.
        let words = ["--users", "20", "--for", "30s", "--set", "thresholds={}"]
        let outcome = try tool.run(["check", name] + words)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("The two questions about overload differ in their retries and in nothing that is run")
    func overload() throws {
        let texts = try ["overload-retry", "overload-retry-budgeted"].map { name in
            let file = BuiltTool.package.appending(path: "Profiles/\(name).json")
            return String(decoding: try Data(contentsOf: file), as: UTF8.self)
                .split(separator: "\n").filter { !$0.hasPrefix("//") && !$0.contains("question") }
        }
        let changed = zip(texts[0], texts[1]).filter { $0 != $1 }
        #expect(texts[0].count == texts[1].count && changed.count == 1)
        #expect(changed.allSatisfy { $0.0.contains("retries") })
    }
}

extension BuiltTool {
    /// Has a kept run say something that it never said, and its manifest nothing of it.
    fileprivate func alterLatest() throws {
        let latest = folder.appending(path: "Results/quick/latest/")
        let (file, manifest) = (
            latest.appending(path: "metrics.prom"), latest.appending(path: "manifest.json")
        )
        try Data("no_metric 1\n".utf8).write(to: file)
        var content = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: manifest)) as? [String: Any])
        let outputs = try #require(content["outputs"] as? [[String: Any]])
        content["outputs"] = outputs.filter { $0["name"] as? String != "metrics.prom" }
        try JSONSerialization.data(withJSONObject: content).write(to: manifest)
    }
}
