import Foundation
import SquallAnswers
import SquallFormat

extension Command {
    static let plan = Command(
        name: "plan",
        summary: "Write the job file that runs a command on the machines of a cluster.",
        operands: [
            Operand(
                name: "command", count: .atLeastOne, values: .profiles,
                about: "A command of squall that takes --shard, with its arguments.")
        ],
        options: [
            Option("--slurm", "Write an array job for Slurm's sbatch."),
            Option("--parallel", "Write a script for GNU parallel."),
            Option("--kubernetes", "Write an Indexed Job for Kubernetes."),
            Option("--shards", .count(1...10_000), "Number of parts; 8 by default."),
            Option(
                "--program", .path("file"),
                "Path of the program on the machines; squall by default."),
            Option(
                "--out", .path("folder"),
                "Folder for the parts on the machines; Results by default, /results with"
                    + " --kubernetes."),
        ],
        example: "squall plan --slurm --shards 16 -- run quick --replications 200",
        perform: { try PlanCommand(invocation: $0).perform() })
}

/// Writes a job file, after checking that the command can be split.
struct PlanCommand: PerformedCommand {
    let invocation: Invocation

    private static let shards: Int64 = 8

    func perform() throws -> ExitCode {
        let systems = JobFile.System.allCases.filter { arguments.has("--\($0.rawValue)") }
        guard systems.count == 1, let system = systems.first else {
            throw CommandFailure.usage(
                "name the system of the job file: one of --slurm, --parallel, --kubernetes")
        }
        let words = arguments.operands
        try Self.check(words)
        try checkReadable(words)
        let job = JobFile(
            "squall-\(words[0])", command: [arguments.text("--program") ?? tool.name] + words,
            shards: Int(arguments.count("--shards") ?? Self.shards),
            out: arguments.text("--out") ?? system.out,
            isTogether: words[0] == Command.drive.name)
        let name = job.fileName(for: system)
        try OutputFile(name, console: console).writeNew(job.text(for: system))
        print([console.file(name).shown])
        return .passed
    }

    /// Refuses a profile that is missing or cannot be read.
    private func checkReadable(_ words: [String]) throws {
        guard let command = Command.all.named(words[0]) else { return }
        var parsed = invocation
        parsed.arguments = try Arguments.parse(Array(words.dropFirst()), for: command)
        let compare = CompareCommand(invocation: parsed)
        for word in compare.arguments.operands
        where try command.name != "compare" || !compare.isKept(word) {
            _ = try compare.profile(in: compare.file(word))
        }
    }

    /// Refuses commands that every machine would refuse later, or that cannot be split.
    static func check(_ words: [String]) throws(CommandFailure) {
        guard let name = words.first, let command = Command.all.named(name),
            command.options.contains(where: { $0.name == "--shard" })
        else {
            let known = Command.all.filter { $0.options.contains { $0.name == "--shard" } }
            throw .usage(
                "only \(known.map(\.name).joined(separator: ", ")) can be split into parts, got"
                    + " '\((words.first ?? "").excerpt())'; give the whole command, as in squall"
                    + " plan --slurm -- run quick --replications 20")
        }
        let parsed = try Arguments.parse(Array(words.dropFirst()), for: command)
        for option in ["--shard", "--out", "--threads"] where parsed.has(option) {
            throw .usage("\(option) is set by the job file; leave it out of the command")
        }
        let other = Option.withoutEffect.union(Option.ofSingleRuns).sorted()
        for option in other where parsed.has(option) {
            throw .usage("\(option) has no effect on a part; leave it out of the command")
        }
        guard !parsed.operands.contains("-") else {
            throw .usage("a profile of standard input cannot be split into parts; name a file")
        }
        if command.name == "drive", parsed.text("--target") == nil {
            throw .usage("drive needs the server in the command: --target http://10.0.0.5:8080")
        }
        if command.name == "run", parsed.text("--replications") == nil {
            throw .usage("one run cannot be split into parts; add --replications with a number")
        }
        if command.name == "capacity", !parsed.has("--grid") {
            throw .usage(
                "a search cannot be split into parts, because each value depends on the result"
                    + " before it; give it --grid low..high/n")
        }
    }
}

extension JobFile.System {
    /// The default folder of parts: the volume that the job mounts, or the usual folder for
    /// results.
    fileprivate var out: String { self == .kubernetes ? JobFile.volume : "Results" }
}
