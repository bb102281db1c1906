import SquallFormat
import SquallReport

/// The texts of the help, made from the table of commands.
enum HelpText {
    /// The topics of the help besides the commands.
    static var topics: [String] { HelpTopic.all.map(\.name) }

    /// The help that is shown when no command is given.
    static func short(_ commands: [Command]) -> String {
        joined([
            "Try: squall run quick", "",
            "Commands: " + commands.map(\.name).joined(separator: ", "),
            "See: squall help",
        ])
    }

    static func full(_ commands: [Command]) -> String {
        let commands = commands.map { ($0.name, $0.summary) }
        let purpose =
            "Runs the real client stack of thousands of simulated users against a fake backend in"
            + " virtual time, and tells what their tokens, retries and pages do to it."
        return joined(
            ["squall <command> [options]", ""] + Prose.lines(purpose)
                + ["", "Try: squall run quick", "", "Commands:"] + definitions(commands)
                + [""] + Prose.lines("More: squall help <command>, " + topicList, rest: "  "))
    }

    static var exitCodes: String {
        joined(definitions(ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) }))
    }

    static func text(of command: Command) -> String {
        let visible = command.options.filter { !$0.isHidden }.map { option in
            (
                [[option.shortName, option.name].compactMap { $0 }.joined(separator: ", ")]
                    + [option.placeholder].compactMap { $0 }, option.summary
            )
        }
        let options = visible.map { ($0.0.joined(separator: " "), $0.1) }
        let operands = command.operands.map { ("<\($0.name)>", $0.values.meaning) }
        let words = operands.isEmpty ? [] : [""] + definitions(operands)
        return joined(
            [command.usage, ""] + Prose.lines(command.summary)
                + ["", "Try: \(command.example)"] + words
                + ["", "Options:"]
                + definitions(options + [("-h, --help", "Show this help.")]))
    }

    /// Terms in a column with their explanations beside them, at most 80 columns wide.
    private static func definitions(_ entries: [(term: String, text: String)]) -> [String] {
        let width = entries.map(\.term.count).max() ?? 0
        return entries.flatMap { term, text in
            let space = String(repeating: " ", count: width - term.count + 2)
            let margin = String(repeating: " ", count: width + 4)
            return Prose.lines(text, first: "  \(term)\(space)", rest: margin)
        }
    }

    private static var topicList: String {
        "squall help " + topics.joined(separator: " | ")
    }

    private static func joined(_ lines: [String]) -> String {
        lines.map { $0 + "\n" }.joined()
    }
}
