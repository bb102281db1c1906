import SquallAnswers

/// Runs a profile with several seeds, and gives each figure an interval.
struct ReplicationsCommand: PerformedCommand {
    let invocation: Invocation

    func perform(_ count: ReplicationCount) throws -> ExitCode {
        try arguments.refuse(Option.ofSingleRuns, "is for a single run, not for --replications")
        if case .automatic = count {
            guard !arguments.has("--shard") else {
                throw CommandFailure.usage(
                    "--shard needs to know all replications beforehand; give --replications a"
                        + " number")
            }
        }
        guard arguments.operands.count == 1 else {
            throw CommandFailure.usage(
                "--replications are about one profile, got \(arguments.operands.count)")
        }
        let file = try file(arguments.operands[0])
        let experiment = try experiment(file)
        return try answer(named: file.name) { replicator in
            let replications = try count.replications(of: experiment, replicator)
            let precision: Double? =
                if case .automatic = count { ReplicationCount.precision } else { nil }
            var answer = ReplicationsAnswer(
                experiment, replications, precision: precision, replay: replayCommand)
            answer.assumed = try assumed(in: [experiment.profile], of: file.name)
            return answer
        }
    }
}

extension ReplicationCount {
    /// Parses the value of `--replications`.
    init(_ text: String, of arguments: Arguments) throws(CommandFailure) {
        let most = arguments.count("--max-replications").map(Int.init)
        if text == "auto" {
            self = .automatic(most: most ?? 100)
            return
        }
        guard let count = Int(text), (1...100_000).contains(count) else {
            throw .usage("--replications must be 1…100 000 or auto, got '\(text)'")
        }
        guard most == nil else {
            throw .usage("--max-replications is for --replications auto")
        }
        self = .exactly(count)
    }
}
