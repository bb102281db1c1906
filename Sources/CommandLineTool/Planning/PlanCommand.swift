import Foundation
import SquallFormat
import SquallPlanning

extension Command {
    static let plan = Command(
        name: "plan",
        summary: "Write the job file that shares a command among the machines of a cluster.",
        operands: [Operand(name: "command", count: .atLeastOne, values: .profiles)],
        options: [
            Option(name: "--slurm", value: .none, summary: "An array job for Slurm's sbatch."),
            Option(name: "--parallel", value: .none, summary: "A script for GNU parallel."),
            Option(name: "--kubernetes", value: .none, summary: "An Indexed Job."),
            Option(
                name: "--shards", value: .count(1...10_000),
                summary: "How many parts there are; 8 by default."),
            Option(
                name: "--program", value: .path("file"),
                summary: "The program as the machines find it; squall by default."),
            Option(
                name: "--out", value: .path("folder"),
                summary: "Where the parts go, as the machines see it; Results by default."),
        ],
        example: "squall plan --slurm --shards 16 -- run quick --replications 200",
        perform: { try PlanCommand(arguments: $0, invocation: $1).perform() })
}

/// Writes a job file, after making sure that the command can be shared.
struct PlanCommand {
    let arguments: Arguments
    let invocation: Invocation

    private static let shards: Int64 = 8

    func perform() throws -> ExitCode {
        let systems = JobFile.System.allCases.filter { arguments.has("--\($0.rawValue)") }
        guard systems.count == 1, let system = systems.first else {
            throw CommandFailure.usage(
                "say for what the job file is: one of --slurm, --parallel, --kubernetes")
        }
        let words = arguments.operands
        try check(words)
        let shell = ([arguments.text("--program") ?? "squall"] + words)
            .map(\.quotedForShell).joined(separator: " ")
        let job = JobFile(
            command: words, shellCommand: shell,
            shards: Int(arguments.count("--shards") ?? Self.shards),
            out: arguments.text("--out") ?? "Results", name: "squall-\(words[0])")
        let name = job.fileName(for: system)
        try OutputFile(name, console: invocation.console).writeNew(job.text(for: system))
        invocation.console.write("\(invocation.console.file(name).shown)\n", to: .output)
        return .passed
    }

    /// Refuses here what every machine would refuse later.
    private func check(_ words: [String]) throws(CommandFailure) {
        guard let command = Command.named(words[0]),
            command.options.contains(where: { $0.name == "--shard" })
        else {
            let known = Command.all.filter { $0.options.contains { $0.name == "--shard" } }
            throw .usage(
                "only \(known.map(\.name).joined(separator: ", ")) can be shared, got"
                    + " '\(words[0])'")
        }
        let parsed = try Arguments.parse(Array(words.dropFirst()), for: command)
        for option in ["--shard", "--out", "--threads"] where parsed.has(option) {
            throw .usage("\(option) is set by the job file; leave it out of the command")
        }
        if command.name == "run", parsed.text("--replications") == nil {
            throw .usage("one run cannot be shared; give it --replications and a number")
        }
        if command.name == "capacity", !parsed.has("--grid") {
            throw .usage(
                "a search cannot be shared before it is known where it leads; give it"
                    + " --grid low..high/n")
        }
    }
}
