import Foundation
import SquallDocument
import SquallFormat
import SquallLab
import SquallProof
import SquallReport

extension Command {
    static let bench = Command(
        name: "bench", summary: "Measure how fast this build simulates on this machine.",
        operands: [],
        options: [
            Option("--filter", .text("text"), "Only benchmarks whose name contains the text."),
            Option("--json", "Print the numbers as one JSON document."),
            Option(
                "--baseline", .path("file"),
                "Compare with what --json printed, or with another build in turns."),
            Option(
                "--once", "Measure each only once, without warming up: whether they run at all."),
            .quiet, .noColor,
        ],
        example: "squall bench --filter kernel --baseline before.json",
        perform: { try BenchCommand(invocation: $0).perform() })
}

/// Repeats every benchmark a few times and shows the medians.
///
/// A benchmark of memory runs in a process of its own, and so does each turn of a comparison with
/// another build.
struct BenchCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let chosen = try benchmarks()
        let baseline = try arguments.text("--baseline").map(readBaseline)
        let results = try interruption.each(of: Array(chosen.enumerated())) { position, benchmark in
            tellStep("\(position + 1) of \(chosen.count): \(benchmark.name)")
            defer { tellStep("") }
            return Result {
                try measure(benchmark, against: baseline, isOnly: chosen.count == 1)
            }.mapError { failure(of: benchmark, $0) }
        }
        let measurements = results.compactMap { try? $0.get() }
        show(
            BenchReport.document(measurements, baseline: baseline?.medians ?? [:]),
            json: BenchReport.json(measurements).document, otherwise: 110)
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
        let (all, filter) = (tool.benchmarks, arguments.text("--filter") ?? "")
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
        _ benchmark: Benchmark, against baseline: BenchBaseline?, isOnly: Bool
    ) throws -> Measurement {
        if case .program(let program)? = baseline {
            return try pairs(of: benchmark, against: program)
        }
        // The only benchmark is alone in this process already.
        return try benchmark.isAlone && !isOnly ? measureApart(benchmark) : measure(benchmark)
    }

    /// Whether each is measured only once, without warming up.
    var isOnce: Bool { arguments.has("--once") }

    /// The median of some repetitions, after one that only warms the caches.
    private func measure(_ benchmark: Benchmark) throws -> Measurement {
        // Later ones reuse memory that the first one takes, so its note is the true one.
        let first = try benchmark.measure()
        let samples =
            isOnce || benchmark.repetitions == 1
            ? [first] : try (0..<benchmark.repetitions).map { _ in try benchmark.measure() }
        let sorted = samples.sorted { $0.nanosecondsPerOperation < $1.nanosecondsPerOperation }
        return Measurement(
            name: benchmark.name, about: benchmark.about,
            nanoseconds: sorted[sorted.count / 2].nanosecondsPerOperation,
            fastest: sorted[0].nanosecondsPerOperation, note: first.note)
    }

    /// Reads what to compare with: an earlier report, or a build of this program.
    private func readBaseline(_ path: String) throws -> BenchBaseline {
        let file = console.file(path)
        let data = try ProfileFile.readable(path) { _ in try Data(contentsOf: file) }
        if let report = try? BenchReport(json: data) { return .report(report) }
        guard FileManager.default.isExecutableFile(atPath: file.path(percentEncoded: false)) else {
            throw CommandFailure.invalid(
                "\(path) is neither a report of squall bench --json nor a build of squall")
        }
        return .program(file)
    }
}

/// What benchmarks are compared with.
enum BenchBaseline {
    /// The numbers of an earlier report.
    case report(BenchReport)
    /// Another build, which is measured in turns with this one.
    case program(URL)

    /// The medians of a report, by name.
    var medians: [String: Double] {
        guard case .report(let report) = self else { return [:] }
        return Dictionary(
            report.benchmarks.map { ($0.name, $0.medianNs) }, uniquingKeysWith: { $1 })
    }
}
