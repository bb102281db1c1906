import SquallFormat

/// The texts of the help, made from the table of commands.
enum HelpText {
    /// The topics of the help besides the commands.
    static var topics: [String] { HelpTopic.all.map(\.name) }

    /// The help that is shown when no command is given.
    static func short(_ commands: [Command]) -> String {
        (start(commands) + [
            "", "Commands: " + commands.map(\.name).joined(separator: ", "), "See: squall help",
        ]).lines
    }

    /// The first command for what a reader has, of those that the tool has.
    private static func start(_ commands: [Command]) -> [String] {
        let all = [
            ("an app", "serve", "--upstream http://localhost:3000"),
            ("an API document", "serve", "openapi.yaml -- npm test"),
            ("a server's log", "fit", "access.log -o my-api.json"),
            ("a token service", "probe", "https://staging.example.com"),
            ("nothing yet", "run", "quick"),
        ]
        let known = all.filter { row in commands.contains { $0.name == row.1 } }
        return ["If you have, try:"]
            + WordWrap.definitions(known.map { ($0.0, "squall \($0.1) \($0.2)") })
    }

    static func full(_ commands: [Command]) -> String {
        let purpose =
            "Runs the real client code of thousands of simulated mobile users against a simulated"
            + " backend in virtual time, and reports token refresh, retries, paging and capacity."
        let topics = "squall help " + topics.joined(separator: " | ")
        return
            (["squall <command> [options]", ""] + WordWrap.lines(purpose)
            + [""] + start(commands) + ["", "Commands:"]
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
