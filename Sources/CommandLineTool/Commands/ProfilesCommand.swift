import SquallFormat
import SquallLab
import SquallReport

extension Command {
    static let profiles = Command(
        name: "profiles",
        summary: "List the profiles in ./Profiles and built in, with their questions.",
        operands: [],
        options: [
            Option(
                name: "--names", value: .none,
                summary: "Only the names, those of races too, each on a line.")
        ], example: "squall profiles",
        perform: { arguments, invocation in
            let console = invocation.console
            let names = try ProfileFile.names(console)
            if arguments.has("--names") {
                let all = try names + ProfileFile.raceNames(console)
                console.write(all.map { $0.visible + "\n" }.joined(), to: .output)
                return .passed
            }
            for name in names {
                console.write(try entry(name, invocation), to: .output)
            }
            let races = try ProfileFile.raceNames(console).joined(separator: ", ")
            let lines = Prose.lines(
                races, width: console.width(of: .output), first: "    ", rest: "    ")
            console.write("\nraces, for squall explore\n", to: .output)
            console.write(lines.map { $0.visible + "\n" }.joined(), to: .output)
            return .passed
        })

    private static func entry(_ name: String, _ invocation: Invocation) throws -> String {
        let file = try ProfileFile(name, console: invocation.console)
        let lines: [String]
        do {
            let profile = try file.read(
                invocation.tool.runner.vocabulary, console: invocation.console, []
            ).profile
            lines = [profile.facts] + Prose.lines(profile.question, width: 76)
        } catch let invalid as InvalidProfile {
            let problems = Units.counted(invalid.count, "problem")
            lines = ["invalid, \(problems): squall validate \(name)"]
        }
        return ([name] + lines.map { "    " + $0 }).map { $0.visible + "\n" }.joined()
    }
}
