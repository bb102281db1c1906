import SquallFormat
import SquallLab
import SquallProfile
import SquallReport

extension Command {
    static let validate = Command(
        name: "validate", summary: "Check profile files and report every problem.",
        operands: [Operand(name: "profile", count: .atLeastOne, values: .profiles)],
        options: Option.overrides,
        example: "squall validate Profiles/*.json",
        perform: { arguments, invocation in
            let overrides = try arguments.overrides()
            let codes = arguments.operands.map { word in
                validate(
                    word, overrides, invocation, allowsOutside: arguments.has("--allow-outside"))
            }
            // The gravest, which is the one furthest down the table of codes.
            return ExitCode.allCases.last { codes.contains($0) } ?? .passed
        })

    /// Reports on one file; a bad one does not keep the others from being checked.
    private static func validate(
        _ word: String, _ overrides: [ProfileOverride], _ invocation: Invocation,
        allowsOutside: Bool
    ) -> ExitCode {
        let console = invocation.console
        do {
            let file = try ProfileFile(word, console: console, allowsOutside: allowsOutside)
            let profile = try file.profile(
                invocation.tool.runner.vocabulary, console: console, overrides
            ).profile
            console.write("\(file.path): \(profile.facts)\n", to: .output)
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
