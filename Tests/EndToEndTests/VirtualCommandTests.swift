import Foundation
import Testing

/// Programs of others, in the virtual time of a served backend.
@Suite(
    "A command in virtual time",
    .enabled(if: BuiltTool.hasLibrary, "there is no libSquallPreload.so"))
struct VirtualCommandTests {
    @Test(
        "A client in Python lives a day: one refresh an hour, or one for each refused call",
        .enabled(if: BuiltTool.isInPath("python3"), "python3 is not installed"),
        arguments: [("--right", 24...24), ("--naive", 60...96)])
    func day(option: String, refreshes: ClosedRange<Int>) throws {
        let file = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients/day.py")
        let (outcome, report) = try serve(
            ["--expire-after", "1h", "--set", "backend.tokens.refreshLifetime=14d"],
            ["python3", "-B", file.path(percentEncoded: false), option])
        #expect(outcome.status == (option == "--right" ? 0 : 1), "\(outcome)")
        #expect(outcome.output.contains("\"failed\": 0, \"hours\": 24}"), "\(outcome)")
        let told = outcome.output.firstMatch(of: /"refreshes": (\d+),/).flatMap { Int($0.1) }
        #expect(refreshes.contains(try #require(told)), "\(outcome)")
        #expect(report.contains("\"signIns\" : 1,") && report.contains("\"notVirtual\" : [\n\n"))
    }

    @Test(
        "A right client keeps the promises of drills that restart it, and of one after the other",
        .enabled(if: BuiltTool.isInPath("python3"), "python3 is not installed"))
    func drills() throws {
        let file = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients/drilled.py")
        let (outcome, _) = try serve(
            ["--drill", "killedAfterRefresh,refreshRetried,expiredToken"],
            ["python3", "-B", file.path(percentEncoded: false)])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.output.contains("3 drills: 0 broken, 3 kept"), "\(outcome)")
    }

    @Test("A shell, its children and the server have one clock, the same in each run")
    func shell() throws {
        let script = "date +%s; curl -s $SQUALL_URL/v1/x > got & sleep 86400; wait; date +%s"
        let runs = try (0..<2).map { _ in try serve([], ["sh", "-c", script]) }
        for (outcome, report) in runs {
            #expect(outcome.output.hasPrefix("1725148800\n1725235200\n"), "\(outcome)")
            #expect(report == runs[0].report)
        }
    }

    @Test(
        "An hour's wait in each way of the C library is an hour by both clocks",
        .enabled(if: BuiltTool.isInPath("clang"), "clang is not in PATH"))
    func waits() throws {
        let source = BuiltTool.package.appending(path: "Tests/EndToEndTests/LiveClients/waits.c")
        let script = """
            clang -O1 -pthread -o waits '\(source.path(percentEncoded: false))'
            exec env LD_PRELOAD="$KEPT" ./waits
            """
        let (outcome, report) = try serve(
            [], ["sh", "-c", "KEPT=$LD_PRELOAD; unset LD_PRELOAD; \(script)"])
        let lines = outcome.output.split(separator: "\n").filter { $0.contains(/^\w+ \d |^io_/) }
        #expect(lines.count == 33, "\(outcome)")
        #expect(!report.contains("followed real time"))
        for line in lines {
            #expect(line.hasSuffix(" 0 3600 3600") || line == "io_uring refused")
        }
    }

    @Test(
        "A request in two packets does not wait for the first one's acknowledgement",
        .enabled(if: BuiltTool.isInPath("python3"), "python3 is not installed"))
    func twoPackets() throws {
        let file = BuiltTool.package.appending(
            path: "Tests/EndToEndTests/LiveClients/two_writes.py")
        let (outcome, _) = try serve([], ["python3", "-B", file.path(percentEncoded: false)])
        let slowest = outcome.output.firstMatch(of: /slowest ([\d.]+)/).flatMap { Double($0.1) }
        #expect(try #require(slowest, "\(outcome)") < 5)
    }

    @Test("Processes that all wait for ever are found, with what each thread waits for")
    func standstill() throws {
        let script = "curl -s $SQUALL_URL/v1/x > got; mkfifo pipe; cat pipe"
        let (outcome, report) = try serve([], ["sh", "-c", script])
        #expect(outcome.status == 1)
        #expect(
            outcome.output.replacing("\n", with: " ").contains("nothing would ever have happened"))
        #expect(report.contains("thread sh: waits for the end of a child"), "\(report)")
        #expect(report.contains("waited for what would never have happened"))
    }

    @Test("Each schedule has a seed, and one that fails has the line that repeats it")
    func schedules() throws {
        let script = "curl -s $SQUALL_URL/v1/x > got; exit 1"
        let (outcome, report) = try serve(
            ["--schedules", "3", "--seed", "5"], ["sh", "-c", script])
        #expect(outcome.output.contains("3 of 3 schedules failed; with seed 5:"), "\(outcome)")
        #expect(report.contains("serve quick --virtual --seed 7 -- sh -c"), "\(report)")
    }

    @Test("A program that can load no library is refused before it runs")
    func unfit() throws {
        let file = "/sbin/ldconfig"
        guard FileManager.default.isExecutableFile(atPath: file),
            let bytes = try? Data(contentsOf: URL(filePath: file)),
            bytes.range(of: Data("ld-linux".utf8)) == nil
        else { return }
        let (outcome, _) = try serve([], [file, "--version"])
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("leave out --virtual to run it in real time"))
    }

    private func serve(
        _ options: [String], _ command: [String]
    ) throws -> (outcome: BuiltTool.Outcome, report: String) {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let words = ["serve", "quick", "--virtual", "--quiet"] + options + ["--"] + command
        let outcome = try tool.run(words)
        let kept = tool.folder.appending(path: "Results/quick/serve/summary.json")
        return (outcome, (try? String(contentsOf: kept, encoding: .utf8)) ?? "")
    }
}

extension BuiltTool {
    /// Whether the library is there that programs load which live in virtual time.
    fileprivate static let hasLibrary =
        (try? executable("squall")).map {
            let library = $0.deletingLastPathComponent().appending(path: "libSquallPreload.so")
            return FileManager.default.fileExists(atPath: library.path(percentEncoded: false))
        } ?? false

    fileprivate static func isInPath(_ name: String) -> Bool {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
            FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
        }
    }
}
