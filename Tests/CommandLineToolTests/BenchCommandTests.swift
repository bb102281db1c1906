import Foundation
import SquallKernel
import Synchronization
import Testing

@testable import CommandLineTool
@testable import DeveloperTool
@testable import SquallProof

@Suite("squall-dev bench")
struct BenchCommandTests {
    @Test("The median of the samples after the first is shown")
    func median() throws {
        let squall = try PlayedTool()
        let samples = Numbers([9_000, 300, 100, 200, 500, 400])
        squall.commands = [
            .bench([
                Benchmark("a/one", about: "It does one thing.", repetitions: 5) {
                    .init(operations: 10, nanoseconds: samples.next(), note: "noted")
                }
            ])
        ]
        #expect(squall.run("bench") == .passed)
        #expect(squall.console.output.contains("a/one"))
        #expect(squall.console.output.contains("30  33.3M  noted"))
        #expect(squall.console.output.contains("noted"))
    }

    @Test("A file that is no program is refused as the baseline of benchmarks")
    func badBaseline() throws {
        let squall = try PlayedTool()
        squall.commands = [.bench([benchmark("a", 1)])]
        try squall.write("{}", to: "before.json")
        #expect(squall.run("bench", "--baseline", "before.json") == .invalidInput)
    }

    @Test("A benchmark that fails is named, and the others are shown")
    func failing() throws {
        let squall = try PlayedTool()
        squall.commands = [
            .bench([
                benchmark("a/one", 100),
                Benchmark("b/two", about: "Fails.") {
                    throw SimulationError.noProgress(at: .start, ran: 7)
                }, benchmark("c/three", 200),
            ])
        ]
        #expect(squall.run("bench") == .internalError)
        #expect(
            squall.console.output.contains("a/one") && squall.console.output.contains("c/three"))
        #expect(squall.console.errors.contains("the benchmark b/two failed: virtual time stood"))
    }

    @Test("A benchmark with one repetition runs once, without warming up")
    func once() throws {
        let squall = try PlayedTool()
        let samples = Numbers([700, 300, 100])
        squall.commands = [
            .bench([
                Benchmark("a", about: "Nothing.") {
                    .init(operations: 1, nanoseconds: samples.next())
                }
            ])
        ]
        #expect(squall.run("bench", "--once") == .passed)
        #expect(squall.console.output.contains("700  1.43M"))
    }

    @Test("A benchmark of memory runs once, in a process of its own")
    func alone() throws {
        let squall = try PlayedTool()
        let child = PlayedBuild(times: [400])
        squall.child = child
        squall.commands = [
            .bench([
                benchmark("quick", 100),
                Benchmark("memory/all", about: "Nothing.", repetitions: 1, isAlone: true) {
                    .init(operations: 1, nanoseconds: 1)
                },
            ])
        ]
        #expect(squall.run("bench") == .passed)
        #expect(squall.console.output.contains("400   2.5M"))
        #expect(child.starts.withLock { $0 } == ["this: memory/all"])
        #expect(squall.run("bench", "--filter", "memory/all") == .passed)
        #expect(child.starts.withLock { $0.count } == 1)
    }

    @Test("Two builds take turns, and the median of the pairs is shown between their extremes")
    func turns() throws {
        let squall = try PlayedTool()
        let child = PlayedBuild(times: [100, 50, 60, 100, 100, 80, 40, 100, 100, 90])
        squall.child = child
        squall.commands = [.bench([benchmark("a", 1)])]
        try squall.write("#!/bin/sh", to: "other")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: squall.folder.path() + "/other")
        #expect(squall.run("bench", "--baseline", "other") == .passed)
        #expect(squall.console.output.contains("×0.6 (0.4…0.9)"))
        let turn = ["other: a", "this: a", "this: a", "other: a"]
        #expect(child.starts.withLock { $0 } == turn + turn + ["other: a", "this: a"])
    }

    @Test("Progress names each benchmark and how many there are, unless it is to be quiet")
    func progress() throws {
        let squall = try PlayedTool()
        squall.commands = [.bench([benchmark("a", 1), benchmark("b", 1)])]
        #expect(squall.run("bench") == .passed)
        #expect(squall.console.errors == "1 of 2: a\n2 of 2: b\n")
        #expect(squall.run("bench", "--quiet") == .passed)
        #expect(squall.console.errors == "1 of 2: a\n2 of 2: b\n")
    }

    private func benchmark(_ name: String, _ nanoseconds: Int64) -> Benchmark {
        Benchmark(name, about: "Nothing.") { .init(operations: 1, nanoseconds: nanoseconds) }
    }
}

/// Builds that take as long as their list says.
private final class PlayedBuild: ChildProcess {
    let starts = Mutex<[String]>([])
    private let times: Numbers

    init(times: [Int64]) { self.times = Numbers(times) }

    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        let name = words[2]
        let build = surroundings.executable?.lastPathComponent ?? "this"
        starts.withLock { $0.append("\(build): \(name)") }
        let entry = #"{"name":"\#(name)","medianNs":\#(times.next())}"#
        return ChildOutcome(status: 0, errors: "", output: #"{"benchmarks":[\#(entry)]}"#)
    }
}

/// Numbers that are handed out one after another.
final class Numbers: Sendable {
    private let rest: Mutex<[Int64]>

    init(_ numbers: [Int64]) { rest = Mutex(numbers) }

    func next() -> Int64 { rest.withLock { $0.removeFirst() } }
}
