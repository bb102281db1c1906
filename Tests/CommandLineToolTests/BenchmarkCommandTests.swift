import Foundation
import Testing

@testable import CommandLineTool

@Suite("squall benchmark")
struct BenchmarkCommandTests {
    /// Played runs that take as long as their words and their program say.
    private struct TimedRuns: ChildProcess {
        let milliseconds: @Sendable (_ words: [String], _ program: URL?) -> Int64

        func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
            var outcome = ChildOutcome(status: 0, errors: "")
            let squall = try PlayedTool()
            _ = squall.run("run", "storm", "--json")
            let place = words.firstIndex(of: "--summary").map { words[$0 + 1] } ?? ""
            try Data(squall.console.output.utf8).write(to: URL(filePath: place))
            outcome.processorNanoseconds =
                milliseconds(words, surroundings.executable) * 1_000_000
            outcome.peakMemoryBytes = 100_000_000
            return outcome
        }
    }

    private func squall(
        _ milliseconds: @escaping @Sendable ([String], URL?) -> Int64
    ) throws -> PlayedTool {
        let squall = try PlayedTool()
        squall.child = TimedRuns(milliseconds: milliseconds)
        return squall
    }

    private static func isLeast(_ words: [String]) -> Bool { words.contains("--users") }

    @Test("A setting that costs a tenth more fails, one that costs nothing passes")
    func setting() throws {
        let squall = try squall { words, _ in
            if Self.isLeast(words) { return 10 }
            return words.contains("--set") ? 1_110 : 1_010
        }
        let with = ["benchmark", "storm", "--with", "duration=9m"]
        #expect(squall.run(with) == .failed)
        #expect(squall.console.output.contains("+10 % processor time an attempt"))
        #expect(squall.run(with + ["--tolerance", "20%"]) == .passed)
    }

    @Test("Another build is the baseline, and takes turns with this one")
    func build() throws {
        let squall = try squall { words, program in
            Self.isLeast(words) ? 10 : program == nil ? 1_010 : 1_210
        }
        try squall.write("#!/bin/sh\n", to: "old")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: squall.folder.appending(path: "old").path(percentEncoded: false))
        #expect(squall.run("benchmark", "storm", "--against", "old") == .passed)
        #expect(squall.console.output.contains("this build beside old: −16.7 %"))
    }

    @Test("Without a baseline there is no verdict")
    func alone() throws {
        let squall = try squall { words, _ in Self.isLeast(words) ? 10 : 1_010 }
        #expect(squall.run("benchmark", "storm") == .passed)
        #expect(!squall.console.output.contains("PASSED"))
        #expect(squall.console.output.contains("of processor time an attempt"))
    }

    @Test(
        "Wrong words are refused with the way out",
        arguments: [
            ["--against", "nowhere"], ["--tolerance", "much"],
            ["--against", "x", "--with", "duration=9m"],
        ])
    func wrong(words: [String]) throws {
        let squall = try squall { _, _ in 1 }
        #expect(squall.run(["benchmark", "storm"] + words) == .usage)
    }
}
