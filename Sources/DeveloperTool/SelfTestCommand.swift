import CommandLineTool
import SquallFormat
import SquallProof

extension Command {
    static func selfTest(
        _ models: [SelfTestCase] = SelfTestCase.all,
        at point: @escaping SelfTestCommand.Point = { SelfTestCase.point(workers: $0, load: $1) }
    ) -> Command {
        Command(
            name: "selftest",
            summary: "Check the simulator against queueing theory (deviations in σ).",
            operands: [],
            options: [
                Option(
                    "--filter", .text("text"), "Check only models with this text in their names."),
                Option(
                    "--points", .text("workers,load"),
                    "Check a station of your own instead of the built-in models, such as 4,0.8:"
                        + " M/M/c as a queue and as a run of a profile, and M/D/1 with one worker.",
                    repeats: true),
                Option("--thorough", "Check every model with ten times as many replications."),
                Option("--seed", .seed, "Seed of the random numbers; 1 by default."),
                Option("--json", "Print the checks as one JSON document."),
                Option(
                    "--bias", .count(0...1_000),
                    "Make service times this many per cent longer than theory assumes, which must"
                        + " fail."),
                .quiet, .noColor,
            ],
            example: "squall-dev selftest --filter M/M/1", program: "squall-dev",
            perform: {
                try SelfTestCommand(invocation: $0, models: models, point: point).perform()
            })
    }
}

/// Simulates models with known formulas, and fails where chance does not explain a difference.
struct SelfTestCommand: PerformedCommand {
    /// The models of a station, by its number of workers and their utilisation.
    typealias Point = @Sendable (_ workers: Int, _ load: Double) -> [SelfTestCase]

    let invocation: Invocation
    let models: [SelfTestCase]
    let point: Point

    func perform() throws -> ExitCode {
        let seed = arguments.seed("--seed") ?? 1
        let conditions = SelfTestConditions(
            seed: seed, biasPercent: arguments.count("--bias") ?? 0,
            isThorough: arguments.has("--thorough"))
        let chosen = try chosen()
        let checks = try interruption.each(of: chosen) { try measure($0, conditions) }
        let report = SelfTestReport(
            checks: checks.flatMap { $0 }, seed: seed,
            partial: checks.count < chosen.count
                ? "\(checks.count) of \(Units.counted(chosen.count, "model"))" : nil)
        show(report.document, json: report.json(version: Version.current).document)
        return interruption.code(otherwise: report.hasPassed ? .passed : .failed)
    }

    /// The models to simulate; a name also finds those that otherwise need --thorough.
    private func chosen() throws -> [SelfTestCase] {
        let filter = arguments.text("--filter")
        let points = try points()
        let own = points.enumerated()
            .filter { place, point in !points[..<place].contains { $0 == point } }
            .flatMap { point($0.element.workers, $0.element.load) }
        let chosen = (points.isEmpty ? models : own).filter { selfTest in
            filter.map(selfTest.model.contains)
                ?? (arguments.has("--thorough") || !selfTest.isThorough)
        }
        guard !chosen.isEmpty else {
            throw CommandFailure.usage("no model's name contains '\(filter ?? "")'")
        }
        return chosen
    }

    /// The stations given on the command line, each by its number of workers and their utilisation.
    private func points() throws -> [(workers: Int, load: Double)] {
        let (most, loads) = (SelfTestCase.pointWorkers.upperBound, SelfTestCase.pointLoads)
        let form =
            "a number of workers, 1…\(Units.grouped(Int64(most))), and the share of time they are"
            + " busy, \(loads.lowerBound)…\(loads.upperBound), such as 4,0.8"
        return try arguments.values("--points", as: form) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count == 2, let workers = Int(parts[0]), let load = Double(parts[1]),
                SelfTestCase.pointWorkers.contains(workers), loads.contains(load)
            else { return nil }
            return (workers, load)
        }
    }

    private func measure(
        _ selfTest: SelfTestCase, _ conditions: SelfTestConditions
    ) throws -> [SelfTestCheck] {
        let showsProgress = !isQuiet && console.isTerminal(.error)
        if showsProgress { console.write("\r\u{1b}[K\(selfTest.model)", to: .error) }
        defer { if showsProgress { console.write("\r\u{1b}[K", to: .error) } }
        return try selfTest.checks(under: conditions)
    }
}
