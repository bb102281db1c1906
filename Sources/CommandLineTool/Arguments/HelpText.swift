import SquallFormat
import SquallReport

/// The texts of the help, made from the table of commands.
enum HelpText {
    /// The topics of the help besides the commands.
    static var topics: [String] { HelpTopic.all.map(\.name) }

    /// The help that is shown when no command is given.
    static func short(_ commands: [Command]) -> String {
        [
            "Try: squall run quick", "",
            "Commands: " + commands.map(\.name).joined(separator: ", "),
            "See: squall help",
        ].lines
    }

    static func full(_ commands: [Command]) -> String {
        let purpose =
            "Runs the real client code of thousands of simulated mobile users against a simulated"
            + " backend in virtual time, and reports token refresh, retries, paging and capacity."
        let topics = "squall help " + topics.joined(separator: " | ")
        return
            (["squall <command> [options]", ""] + WordWrap.lines(purpose)
            + ["", "Try: squall run quick", "", "Commands:"]
            + WordWrap.definitions(commands.map { ($0.name, $0.summary) }, widest: .max)
            + [""] + WordWrap.lines("More: squall help <command>, " + topics, rest: "  ")).lines
    }

    static var exitCodes: String {
        [("", ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) }), (endings, [])].text
    }

    private static let endings =
        "A command keeps its results first, then prints its answer, then writes the files beside"
        + " them (--junit, --log, --session and others). One that cannot be written is named and"
        + " costs exit code 74, never the answer. A signal (Ctrl-C, SIGTERM, SIGHUP) ends a command"
        + " with what it has measured; signals within a second are one, and a later one ends at"
        + " once, with what is kept by then."

    static func text(of command: Command) -> String {
        let options = command.options.filter { !$0.isHidden }.map { option in
            let names = [option.shortName, option.name].compactMap { $0 }.joined(separator: ", ")
            return (names + (option.placeholder.map { " " + $0 } ?? ""), option.summary)
        }
        let operands = command.operands.map { ("<\($0.name)>", $0.meaning) }
        let words = operands.isEmpty ? [] : [""] + WordWrap.definitions(operands, widest: .max)
        return
            ([command.usage, ""] + WordWrap.lines(command.summary)
            + ["", "Try: \(command.example)"] + words + ["", "Options:"]
            + WordWrap.definitions(options + [("-h, --help", "Show this help.")], widest: .max))
            .lines
    }
}

extension Sequence<String> {
    /// The lines of a text, each with its line feed.
    var lines: String { map { $0 + "\n" }.joined() }
}
