import SquallFormat
import SquallLab
import SquallProfile
import SquallReport

extension Command {
    static let help = Command(
        name: "help", summary: "Explain a command, the exit codes or the profile format.",
        operands: [Operand(name: "topic", count: .atMostOne, values: .topics)], options: [],
        example: "squall help profile",
        perform: { arguments, invocation in
            let text: String =
                switch arguments.operands.first {
                case nil: HelpText.full
                case "exit-codes": HelpText.exitCodes
                case "profile": ProfileReference.text(for: invocation.tool.runner.vocabulary)
                case .some(let name): Command.named(name).map(HelpText.text) ?? HelpText.full
                }
            invocation.console.write(text, to: .output)
            return .passed
        })
}
