import SquallAnswers
import SquallFormat
import SquallLab

extension Command {
    static let validate = Command(
        name: "validate", summary: "Check profile files and report every problem.",
        operands: [Operand(name: "profile", count: .atLeastOne, values: .profiles)],
        options: Option.overrides + [
            Option(
                "--estimate",
                "Also estimate attempts, memory and time on one core, and the time of squall"
                    + " explore.")
        ],
        example: "squall validate Profiles/*.json",
        simulates: false, perform: { try ValidateCommand(invocation: $0).perform() })
}

/// Validates files; an invalid one does not stop the check of others.
private struct ValidateCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        _ = try arguments.overrides()
        return arguments.operands.map(validate).worst ?? .passed
    }

    private func validate(_ word: String) -> ExitCode {
        do {
            let file = try file(word)
            let profile = try profile(in: file).profile
            let estimate =
                arguments.has("--estimate")
                ? " · \(RunEstimate(profile).facts) · \(ExplorationEstimate(profile).facts)" : ""
            console.write("\(file.path.visible): \(profile.facts)\(estimate)\n", to: .output)
            return .passed
        } catch {
            let failure = tool.failure(error, of: Command.validate.name)
            console.report(failure.description)
            return failure.code
        }
    }
}

extension Profile {
    /// The facts that the file's author may want to confirm.
    var facts: String {
        let parts = [
            "\(Units.grouped(users)) users", Units.exact(nanoseconds: durationNanoseconds),
            "seed \(seed)", Units.counted(thresholds.count, "threshold"),
        ]
        return parts.joined(separator: " · ")
    }
}

extension RunEstimate {
    /// The cost of a run, to two or three digits: more would be false precision.
    var facts: String {
        let seconds = Int64(min(seconds, 1e9) * 1e9)
        let how = isLeast ? "at least" : "about"
        return "\(how) \(Units.approximate(count: Int64(min(requests, 1e18)))) attempts, "
            + "\(Units.threeDigits(memoryBytes / 1e9)) GB, "
            + "\(Units.approximate(nanoseconds: seconds)) on one core"
            + (isLeast ? " (lists that are read to their end count as one page)" : "")
    }
}

extension ExplorationEstimate {
    /// What squall explore takes, its findings' minimising included.
    var facts: String {
        func text(_ seconds: Double) -> String {
            Units.approximate(nanoseconds: Int64(min(seconds, 1e9) * 1e9))
        }
        return
            "explore: \(Units.counted(Int(clamping: schedules), "schedule")) in about"
            + " \(text(seconds)), then at most \(text(reductionSeconds)) to minimise findings"
    }
}
