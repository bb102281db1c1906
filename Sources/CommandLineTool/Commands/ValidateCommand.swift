import SquallFormat
import SquallLab
import SquallReport

extension Command {
    static let validate = Command(
        name: "validate", summary: "Check profile files and report every problem.",
        operands: [Operand(name: "profile", count: .atLeastOne, values: .profiles)],
        options: Option.overrides + [
            Option(
                name: "--estimate", value: .none,
                summary: "Say also what a run would take: attempts, memory, time on one core.")
        ],
        example: "squall validate Profiles/*.json",
        perform: { arguments, invocation in
            let overrides = try arguments.overrides()
            let codes = arguments.operands.map { word in
                validate(word, overrides, arguments, invocation)
            }
            // The gravest, which is the one furthest down the table of codes.
            return ExitCode.allCases.last { codes.contains($0) } ?? .passed
        })

    /// Reports on one file; a bad one does not keep the others from being checked.
    private static func validate(
        _ word: String, _ overrides: [ProfileOverride], _ arguments: Arguments,
        _ invocation: Invocation
    ) -> ExitCode {
        let console = invocation.console
        do {
            let file = try ProfileFile(
                word, console: console, allowsOutside: arguments.allowsOutside)
            let profile = try file.profile(
                invocation.tool.runner.vocabulary, console: console, overrides
            ).profile
            let estimate = arguments.has("--estimate") ? " · \(RunEstimate(profile).facts)" : ""
            console.write("\(file.path.visible): \(profile.facts)\(estimate)\n", to: .output)
            return .passed
        } catch {
            let failure = error as? CommandFailure
            for line in (failure?.description ?? "\(error)").split(separator: "\n") {
                console.write("error: \(String(line).visible)\n", to: .error)
            }
            return failure?.code ?? .internalError
        }
    }
}

extension Profile {
    /// What a reader of the file would want to see confirmed.
    var facts: String {
        let parts = [
            "\(Units.grouped(users)) users", Units.exact(nanoseconds: durationNanoseconds),
            "seed \(seed)", Units.counted(thresholds.count, "threshold"),
        ]
        return parts.joined(separator: " · ")
    }
}

extension RunEstimate {
    /// What a run will take, to two or three digits: more would be pretended.
    var facts: String {
        let seconds = Int64(min(seconds, 1e9) * 1e9)
        return "about \(Units.approximate(count: Int64(min(requests, 1e18)))) attempts, "
            + "\(Units.threeDigits(memoryBytes / 1e9)) GB, "
            + "\(Units.approximate(nanoseconds: seconds)) on one core"
    }
}
