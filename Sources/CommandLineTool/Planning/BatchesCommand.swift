import SquallAnswers
import SquallFormat
import SquallLab
import SquallReport

/// Runs a profile once, and gives each steady-state figure an interval by batch means.
struct BatchesCommand: PerformedCommand {
    let invocation: Invocation

    /// Runs the profile, cut into batches; without a warm-up setting, MSER-5 finds the warm-up.
    func perform(_ count: Int) throws -> ExitCode {
        for option in [
            "--trace", "--journal", "--log", "--shard", "--max-replications", "--threads",
        ]
        where arguments.has(option) {
            throw CommandFailure.usage("\(option) is not for --batches, which is about one run")
        }
        let file = try file(arguments.operands[0])
        var profile = try experiment(file).profile
        if profile.warmUp == .none { profile.warmUp = .mser5 }
        _ = try preflight(profile).warning(allowingLarge: arguments.has("--allow-large"))
        return try answer(named: file.name) { [profile] _ in
            let result = try run(profile, file.name, count)
            var answer = BatchesAnswer(
                BatchedRun(result), of: profile, named: file.name, replay: replayCommand)
            let rows = result.summary.assumed
            answer.assumed = rows.isEmpty ? nil : rows
            return answer
        }
    }

    private func run(_ profile: Profile, _ name: String, _ count: Int) throws -> RunResult {
        var options = LoadRun.Options(replayCommand: replayCommand)
        options.batches = count
        let result = try run(profile, named: name, options, isShown: false)
        guard result.marks.count == count - 1 else {
            throw CommandFailure(
                code: interruption.isRequested ? interruption.exitCode : .failed,
                description: "the run ended after \(result.marks.count) of \(count) batches, which"
                    + " is no steady state; squall run without --batches says what there is")
        }
        return result
    }
}
