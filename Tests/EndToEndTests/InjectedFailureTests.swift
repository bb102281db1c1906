import Foundation
import Testing

@Suite("A run whose calls of the system fail one by one", .serialized)
struct InjectedFailureTests {
    private static let words = ["run", "quick", "--users", "5", "--for", "10s", "--quiet"]

    @Test(
        "A failed run leaves nothing that keeps the next one from being whole",
        arguments: [1, 4, 9])
    func next(number: Int) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        _ = try tool.run(Self.words, failing: "write:\(number)")
        #expect(try tool.run(Self.words).status <= 1)
        #expect(try tool.isWhole("quick/latest"))
        #expect(try !tool.hidden("quick").contains { $0.hasPrefix(".unfinished") })
    }

    @Test("Memory that runs out is told of, with the command that repeats the run")
    func memory() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        for number in [20_000, 60_000, 100_000] {
            let (outcome, isFailed) = try tool.run(Self.words, failing: "malloc:\(number)")
            guard isFailed, outcome.status != 0, outcome.status != 1 else { continue }
            #expect(outcome.status == 71, "malloc \(number): \(outcome.errors)")
            // Where it is Swift's allocator or C++'s that is refused, that says so first.
            let own = outcome.errors.trimmingPrefix(
                /Fatal error: failed to allocate [^\n]*\n|terminate called [^\n]*\n[^\n]*\n/)
            #expect(own.hasPrefix("error: memory had run out"))
            // Before the profile is read there is nothing to repeat.
            guard outcome.errors.contains("profile quick") else { continue }
            #expect(outcome.errors.contains("squall run quick --seed 1 --users 5"))
        }
    }

    @Test(
        "A signal at any moment ends the run with 128 and its number, and what is kept is whole",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
        for delay in stride(from: 0, through: 400, by: 80) {
            let tool = try BuiltTool()
            defer { tool.remove() }
            let outcome = try tool.run(
                ["run", "quick", "--users", "60", "--for", "20m"], signalling: number,
                afterMilliseconds: delay)
            #expect([0, 1, 128 + number].contains(outcome.status), "after \(delay) ms")
            for folder in try tool.results("quick") {
                #expect(try tool.isWhole("quick/\(folder)"), "after \(delay) ms")
            }
        }
    }

    @Test(
        "A signal ends the other commands too, and takes their children and folders along",
        arguments: [
            (["check", "quick", "--users", "200", "--for", "30m"], SIGTERM),
            (["check", "quick", "--users", "200", "--for", "30m"], SIGHUP),
            (["selftest", "--thorough"], SIGHUP), (["bench"], SIGTERM), (["apps"], SIGHUP),
            (["fuzz", "--profiles", "500"], SIGTERM), (["fuzz", "--profiles", "500"], SIGHUP),
            (["sweep", "quick", "--vary", "users=100..900/4", "--for", "30m"], SIGTERM),
        ] as [([String], Int32)])
    func others(words: [String], signal: Int32) throws {
        let tool = try BuiltTool(
            named: ["fuzz", "selftest", "bench"].contains(words[0]) ? "squall-dev" : "squall")
        defer { tool.remove() }
        // On a fast machine a command may be done by then; the signal has to find it at work.
        var (outcome, delay) = (BuiltTool.Outcome(status: 0, output: "", errors: ""), 700)
        while outcome.status == 0, delay > 20 {
            outcome = try tool.run(
                words, signalling: signal, afterMilliseconds: delay, times: 2)
            delay /= 2
        }
        #expect(outcome.status == 128 + signal, "\(words): \(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tool.temporary.path()) == [])
        #expect(tool.childrenLeft() == [])
    }
}

extension BuiltTool {
    /// The names of a profile's finished results.
    func results(_ profile: String) throws -> [String] {
        try names(profile).filter { !$0.hasPrefix(".") && $0 != "latest" }
    }

    func hidden(_ profile: String) throws -> [String] {
        try names(profile).filter { $0.hasPrefix(".") }
    }

    private func names(_ profile: String) throws -> [String] {
        let path = folder.appending(path: "Results/\(profile)").path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path)
    }

    /// Whether each file of a result is there to its last byte.
    func isWhole(_ result: String) throws -> Bool {
        let place = folder.appending(path: "Results/\(result)/")
        let endings = [
            "summary.json": "}\n", "report.html": "</html>\n", "junit.xml": ">\n",
            "timeseries.csv": "\n", "metrics.prom": "\n", "latency.hlog": "\n",
            "profile.json": "}\n", "manifest.json": "}\n",
        ]
        return try endings.allSatisfy { name, ending in
            let data = try Data(contentsOf: place.appending(path: name))
            return String(decoding: data, as: UTF8.self).hasSuffix(ending)
        }
    }

    /// The programs of this folder that still run.
    fileprivate func childrenLeft() -> [String] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { number in
            Int(number) != nil
                && (try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/\(number)/cwd")) == folder.path(percentEncoded: false)
        }
    }
}
