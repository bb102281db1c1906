import SquallFormat

extension HelpTopic {
    /// Defaults of options, and those that hold here.
    static let environment = HelpTopic(name: "environment") { invocation in
        let held = held(invocation)
        let heading = held.isEmpty ? "No option has such a default here." : "These hold here:"
        return [(introduction, []), (file, []), (heading, held)].text
    }

    private static let introduction =
        "An option that the command line does not give is read from the environment variable of its"
        + " name: --users from SQUALL_USERS, --no-color from SQUALL_NO_COLOR (true or false)."
        + " NO_COLOR, COLUMNS and TERM mean what they mean elsewhere."

    private static let file =
        "What neither gives is read from \(OptionDefaults.file) in the working folder: {\"out\":"
        + " \"results\", \"run\": {\"threshold\": [\"hangs: count==0\"]}}. Options stand there for"
        + " every command that has them, or in an object of one command, which comes first. A run's"
        + " manifest.json lists under defaults what was taken from where."

    private static func held(_ invocation: Invocation) -> [(String, String)] {
        let commands = invocation.tool.commands
        var shown: [String: String] = [:]
        for command in commands {
            let defaults = (try? OptionDefaults(for: command, among: commands, invocation.console))
            for known in defaults?.all ?? [] {
                let key = "\(known.source): \(known.shown)"
                shown[key] = shown[key].map { $0 + ", " + command.name } ?? command.name
            }
        }
        return shown.sorted { $0.key < $1.key }
    }
}
