import SquallFormat
import SquallLab

extension Command {
    static let help = Command(
        name: "help", summary: "Explain a command, a word, a metric or the profile format.",
        operands: [
            Operand(name: "topic", count: .atMostOne, values: .topics),
            Operand(name: "setting", count: .any, values: .settings),
        ],
        options: [
            Option(
                "--names",
                "Only the names that a topic explains, each on a line: settings behind profile,"
                    + " metrics behind metrics.")
        ],
        example: "squall help profile warmUp",
        simulates: false,
        perform: { invocation in
            invocation.console.write(try text(invocation), to: .output)
            return .passed
        })

    private static func text(_ invocation: Invocation) throws(CommandFailure) -> String {
        let arguments = invocation.arguments
        let topic = arguments.operands.first ?? ""
        let settings = arguments.operands.dropFirst()
        let commands = invocation.tool.commands
        try Arguments.check(
            Array(arguments.operands.prefix(1)), help.operands[0],
            among: commands.map(\.name) + HelpText.topics, of: help)
        let vocabulary = invocation.tool.runner.vocabulary
        if arguments.has("--names") {
            guard let names = HelpTopic.named(topic)?.names, settings.isEmpty else {
                let known = HelpTopic.all.filter { $0.names != nil }.map(\.name)
                throw .usage(
                    "--names stands behind one of \(known.joined(separator: ", ")), alone, as in"
                        + " squall help \(known[0]) --names")
            }
            return names(invocation).lines
        }
        guard !settings.isEmpty else {
            return HelpTopic.named(topic)?.text(invocation)
                ?? commands.named(topic).map(HelpText.text) ?? HelpText.full(commands)
        }
        guard topic == HelpTopic.profile.name else {
            throw .usage(
                "squall help \(topic) explains no '\(settings[1])'; the paths of settings stand"
                    + " behind squall help profile")
        }
        var texts: [String] = []
        for path in settings {
            guard let text = ProfileReference.text(of: path, vocabulary) else {
                let paths = ProfileReference.paths(vocabulary)
                let ending = paths.filter { $0.hasSuffix("." + path) }
                let hint =
                    ending.isEmpty
                    ? Spelling.hint(for: path, among: paths)
                    : " There is \(ending.joined(separator: ", "))"
                throw .usage("a profile has no setting '\(path)'." + hint)
            }
            texts.append(text)
        }
        return texts.joined(separator: "\n")
    }
}
