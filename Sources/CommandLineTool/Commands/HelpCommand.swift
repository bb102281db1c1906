extension Command {
    static let help = Command(
        name: "help", summary: "Explain a command, a word, a metric or the profile format.",
        operands: [Operand(name: "topic", count: .atMostOne, values: .topics)], options: [],
        example: "squall help metrics",
        perform: { arguments, invocation in
            let name = arguments.operands.first ?? ""
            let text =
                HelpTopic.named(name)?.text(invocation)
                ?? Command.named(name).map(HelpText.text) ?? HelpText.full
            invocation.console.write(text, to: .output)
            return .passed
        })
}
