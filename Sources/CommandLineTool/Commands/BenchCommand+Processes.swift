import Foundation
import SquallProof

/// Measures benchmarks in processes of their own.
extension BenchCommand {
    /// How many turns each of two builds takes.
    private static let pairs = 5

    /// Measures a benchmark in a new process.
    func measureApart(_ benchmark: Benchmark) throws -> Measurement {
        let entry = try entry(benchmark, by: nil)
        return Measurement(
            name: benchmark.name, about: benchmark.about, nanoseconds: entry.medianNs,
            fastest: entry.fastestNs ?? entry.medianNs, note: entry.note ?? "")
    }

    /// Measures a benchmark with this build and another one in turns, so that changes in the
    /// machine's load affect both.
    func pairs(of benchmark: Benchmark, against program: URL) throws -> Measurement {
        var entries: [BenchReport.Entry] = []
        var ratios: [Double] = []
        for pair in 0..<Self.pairs {
            // The builds also take turns in going first.
            let builds = pair % 2 == 0 ? [program, nil] : [nil, program]
            let both = try builds.map { try entry(benchmark, by: $0) }
            let (other, own) = pair % 2 == 0 ? (both[0], both[1]) : (both[1], both[0])
            entries.append(own)
            ratios.append(own.medianNs / max(other.medianNs, .leastNonzeroMagnitude))
        }
        let times = entries.map(\.medianNs).sorted()
        return Measurement(
            name: benchmark.name, about: benchmark.about, nanoseconds: times[times.count / 2],
            fastest: entries.compactMap(\.fastestNs).min() ?? times[0],
            note: entries[0].note ?? "", ratio: PairedRatio(ratios))
    }

    private func entry(_ benchmark: Benchmark, by program: URL?) throws -> BenchReport.Entry {
        let outcome = try tool.child.run(
            ["bench", "--filter", benchmark.name, "--json", "--quiet"] + (isOnce ? ["--once"] : []),
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
}
