import SquallFormat
import SquallLab

extension Command {
    static let profiles = Command(
        name: "profiles",
        summary: "List the profiles in ./Profiles and the built-in ones, with their questions.",
        operands: [],
        options: [
            Option("--names", "Print only the names, one per line, including those of races.")
        ], example: "squall profiles",
        simulates: false, perform: { try ProfilesCommand(invocation: $0).perform() })
}

/// Lists profiles.
private struct ProfilesCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        let (names, races) = try (ProfileFile.names(console), ProfileFile.raceNames(console))
        let declared = try ProfileFile.declaredNames(console)
        if arguments.has("--names") {
            print((names + races + declared).map(\.visible))
            return .passed
        }
        for name in names { print(try entry(name).map(\.visible)) }
        list(declared, as: "apps that their profile declares, without Swift")
        list(races, as: "races, for squall explore")
        return .passed
    }

    private func list(_ names: [String], as heading: String) {
        guard !names.isEmpty else { return }
        let lines = WordWrap.lines(
            names.joined(separator: ", "), width: console.width(of: .output), first: "    ",
            rest: "    ")
        print(["", heading] + lines.map(\.visible))
    }

    private func entry(_ name: String) throws -> [String] {
        do {
            let profile = try file(name).read(tool.runner.vocabulary, []).profile
            let lines = [profile.facts] + WordWrap.lines(profile.question, width: 76)
            return [name] + lines.map { "    " + $0 }
        } catch let invalid as InvalidProfile {
            let problems = Units.counted(invalid.count, "problem")
            return [name, "    invalid, \(problems): squall validate \(name)"]
        }
    }
}
