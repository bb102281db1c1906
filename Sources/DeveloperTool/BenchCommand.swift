import CommandLineTool
import Foundation
import SquallFormat
import SquallProof

extension Command {
    static func bench(_ benchmarks: [Benchmark]) -> Command {
        Command(
            name: "bench", summary: "Measure how fast this build simulates on this machine.",
            operands: [],
            options: [
                Option(
                    "--filter", .text("text"),
                    "Run only benchmarks with this text in their names."),
                Option("--json", "Print the numbers as one JSON document."),
                Option(
                    "--baseline", .path("file"),
                    "Compare with another build of this program, in turns."),
                Option(
                    "--once", "Run each benchmark once without warm-up, to check that it works."),
                .quiet, .noColor,
            ],
            example: "squall-dev bench --filter kernel --baseline ../before/squall-dev",
            program: "squall-dev",
            perform: { try BenchCommand(invocation: $0, all: benchmarks).perform() })
    }
}

/// Repeats every benchmark a few times and shows the medians.
///
/// A benchmark of memory runs in a process of its own, and so does each turn of a comparison with
/// another build.
struct BenchCommand: PerformedCommand {
    let invocation: Invocation
    let all: [Benchmark]

    /// The number of turns that each of two builds takes.
    private static let turns = 5

    func perform() throws -> ExitCode {
        let chosen = try benchmarks()
        let baseline = try arguments.text("--baseline").map(otherBuild)
        let results = try interruption.each(of: Array(chosen.enumerated())) { position, benchmark in
            tellStep("\(position + 1) of \(chosen.count): \(benchmark.name)")
            defer { tellStep("") }
            return Result {
                try measure(benchmark, against: baseline, isOnly: chosen.count == 1)
            }.mapError { failure(of: benchmark, $0) }
        }
        let measurements = results.compactMap { try? $0.get() }
        show(
            BenchReport.document(measurements, buildMode: Version.buildMode),
            json: BenchReport.json(
                measurements, version: Version.current, buildMode: Version.buildMode
            ).document, otherwise: 110)
        tellInterrupted(results.count, of: chosen.count, "benchmark")
        // The measurements that succeeded were shown above; now report the first failure.
        for result in results { _ = try result.get() }
        return interruption.code(otherwise: .passed)
    }

    /// Explains why a benchmark has no number.
    private func failure(of benchmark: Benchmark, _ error: any Error) -> any Error {
        error is CommandFailure
            ? error
            : CommandFailure(
                code: .internalError,
                description: "the benchmark \(benchmark.name) failed: \(error)")
    }

    /// The benchmark with the name given, or else those whose names contain it.
    private func benchmarks() throws -> [Benchmark] {
        let filter = arguments.text("--filter") ?? ""
        if let named = all.first(where: { $0.name == filter }) { return [named] }
        let chosen = all.filter { filter.isEmpty || $0.name.contains(filter) }
        guard !chosen.isEmpty else {
            throw CommandFailure.usage("no benchmark's name contains '\(filter)'")
        }
        return chosen
    }

    /// Shows what is being measured: in place on a terminal, else line by line.
    private func tellStep(_ text: String) {
        if !isQuiet, console.isTerminal(.error) {
            console.write("\r\u{1b}[K\(text)", to: .error)
        } else if !text.isEmpty {
            tell(text)
        }
    }

    private func measure(
        _ benchmark: Benchmark, against baseline: URL?, isOnly: Bool
    ) throws -> BenchmarkResult {
        if let baseline { return try pairs(of: benchmark, against: baseline) }
        // The only benchmark is alone in this process already.
        return try benchmark.isAlone && !isOnly
            ? BenchmarkResult(benchmark, entry(benchmark, by: nil))
            : BenchmarkResult(benchmark, isOnce: arguments.has("--once"))
    }

    /// Measures a benchmark with this build and another one in turns, so that changes in the
    /// machine's load affect both.
    private func pairs(of benchmark: Benchmark, against program: URL) throws -> BenchmarkResult {
        let pairs = try (0..<Self.turns).map { pair in
            // The builds also take turns in going first.
            let builds = pair % 2 == 0 ? [program, nil] : [nil, program]
            let both = try builds.map { try entry(benchmark, by: $0) }
            return pair % 2 == 0 ? (own: both[1], other: both[0]) : (both[0], both[1])
        }
        return BenchmarkResult(benchmark, pairs: pairs)
    }

    /// Measures a benchmark in a process of its own.
    private func entry(_ benchmark: Benchmark, by program: URL?) throws -> BenchReport.Entry {
        let once = arguments.has("--once") ? ["--once"] : []
        let outcome = try tool.child.run(
            ["bench", "--filter", benchmark.name, "--json", "--quiet"] + once,
            ChildSurroundings(
                environment: console.environment, executable: program, keepsOutput: true))
        let report = try? BenchReport(json: Data(outcome.output.utf8))
        guard outcome.status == 0,
            let entry = report?.benchmarks.first(where: { $0.name == benchmark.name })
        else {
            let who = program?.lastPathComponent ?? "this build"
            throw CommandFailure.inputOutput(
                "\(who) did not measure \(benchmark.name), exit code \(outcome.status): "
                    + outcome.errors)
        }
        return entry
    }

    /// The build to compare with.
    ///
    /// It runs now, too: what it took yesterday was of another load of the machine.
    private func otherBuild(_ path: String) throws -> URL {
        let file = console.file(path)
        guard FileManager.default.isExecutableFile(atPath: file.path(percentEncoded: false)) else {
            throw CommandFailure.invalid("\(path) is no build of squall-dev")
        }
        return file
    }
}
