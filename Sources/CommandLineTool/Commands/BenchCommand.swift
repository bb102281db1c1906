import Foundation
import SquallFormat
import SquallLab
import SquallProof
import SquallReport

extension Command {
    static let bench = Command(
        name: "bench", summary: "Measure how fast this build simulates on this machine.",
        operands: [],
        options: [
            Option(
                name: "--filter", value: .text("text"),
                summary: "Only benchmarks whose name contains the text."),
            Option(
                name: "--json", value: .none, summary: "Print the numbers as one JSON document."),
            Option(
                name: "--baseline", value: .path("file"),
                summary: "Compare with numbers that --json printed before."),
            .quiet,
        ],
        example: "squall bench --filter kernel --baseline before.json",
        perform: { try BenchCommand($0, $1).perform() })
}

/// Repeats every benchmark a few times and shows the medians.
struct BenchCommand {
    private let arguments: Arguments
    private let benchmarks: [Benchmark]
    private let console: any Console
    private let interruption: Interruption

    init(_ arguments: Arguments, _ invocation: Invocation) {
        self.arguments = arguments
        interruption = invocation.tool.interruption
        benchmarks = invocation.tool.benchmarks
        console = invocation.console
    }

    func perform() throws -> ExitCode {
        let filter = arguments.text("--filter") ?? ""
        let chosen = benchmarks.filter { filter.isEmpty || $0.name.contains(filter) }
        guard !chosen.isEmpty else {
            throw CommandFailure.usage("no benchmark's name contains '\(filter)'")
        }
        let baseline = try arguments.text("--baseline").map(readBaseline) ?? [:]
        let measurements = try interruption.each(of: chosen, measure)
        let text =
            arguments.has("--json")
            ? BenchReport.json(measurements).document
            : BenchReport.table(measurements, baseline: baseline)
        console.write(text, to: .output)
        if measurements.count < chosen.count {
            console.write(
                "interrupted: \(measurements.count) of"
                    + " \(Units.counted(chosen.count, "benchmark"))\n", to: .error)
        }
        return interruption.code(otherwise: .passed)
    }

    /// The median of some repetitions, after one that only warms the caches.
    private func measure(_ benchmark: Benchmark) throws -> Measurement {
        if !arguments.has("--quiet"), console.isTerminal(.error) {
            console.write("\r\u{1b}[K\(benchmark.name)", to: .error)
        }
        defer {
            if !arguments.has("--quiet"), console.isTerminal(.error) {
                console.write("\r\u{1b}[K", to: .error)
            }
        }
        // Memory that an earlier repetition gave back is not taken anew: the first note is true.
        let warmUp = try benchmark.measure()
        let samples = try (0..<benchmark.repetitions).map { _ in try benchmark.measure() }
        let sorted = samples.sorted { $0.nanosecondsPerOperation < $1.nanosecondsPerOperation }
        return Measurement(
            name: benchmark.name, about: benchmark.about,
            nanoseconds: sorted[sorted.count / 2].nanosecondsPerOperation,
            fastest: sorted[0].nanosecondsPerOperation, note: warmUp.note)
    }

    /// Medians by name from an earlier report.
    private func readBaseline(_ path: String) throws -> [String: Double] {
        let data: Data
        do {
            data = try Data(contentsOf: console.file(path))
        } catch {
            throw CommandFailure.inputOutput("cannot read \(path): \(error.reason)")
        }
        do {
            let report = try JSONDecoder().decode(BenchReport.Baseline.self, from: data)
            return Dictionary(
                report.benchmarks.map { ($0.name, $0.medianNs) }, uniquingKeysWith: { $1 })
        } catch {
            throw CommandFailure(
                code: .invalidInput,
                description: "\(path) is not a report of squall bench --json")
        }
    }
}

/// What one benchmark came to.
struct Measurement: Hashable {
    let name: String
    let about: String
    /// The median time of one operation.
    let nanoseconds: Double
    /// The shortest time of one operation.
    let fastest: Double
    let note: String

    var operationsPerSecond: Double { nanoseconds > 0 ? 1e9 / nanoseconds : 0 }
}

/// How measurements are shown.
enum BenchReport {
    /// What is read of an earlier report.
    struct Baseline: Decodable {
        let benchmarks: [Entry]

        struct Entry: Decodable {
            let name: String
            let medianNs: Double
        }
    }

    /// One line for each benchmark, with the ratio to the baseline where there is one.
    static func table(_ measurements: [Measurement], baseline: [String: Double]) -> String {
        var table = TextTable(leftAligned: [5])
        let ratio = baseline.isEmpty ? "" : "vs base"
        table.append(["benchmark (\(Version.buildMode))", "median", "unit", "ops/s", ratio, "note"])
        for measurement in measurements {
            let change = baseline[measurement.name].map { base in
                base > 0 ? "×\(Units.threeDigits(measurement.nanoseconds / base))" : ""
            }
            table.append([
                measurement.name, Units.threeDigits(measurement.nanoseconds), "ns/op",
                Units.approximate(count: Int64(measurement.operationsPerSecond)), change ?? "",
                measurement.note,
            ])
        }
        return table.lines(width: 100, indentation: 0).map { $0 + "\n" }.joined()
    }

    static func json(_ measurements: [Measurement]) -> JSON {
        .object([
            "schemaVersion": 1,
            "version": .string(Version.current),
            "buildMode": .string(Version.buildMode),
            "benchmarks": .array(
                measurements.map { measurement in
                    .object([
                        "name": .string(measurement.name), "about": .string(measurement.about),
                        "medianNs": .number(measurement.nanoseconds),
                        "fastestNs": .number(measurement.fastest),
                        "operationsPerSecond": .number(measurement.operationsPerSecond),
                        "note": .string(measurement.note),
                    ])
                }),
        ])
    }
}
