import SquallFormat
import SquallLab
import SquallProfile
import SquallReport

extension Command {
    static let schema = Command(
        name: "schema",
        summary: "Print the JSON Schema of profile files, for editors, or of summary.json.",
        operands: [
            Operand(name: "file", count: .atMostOne, values: .words(["profile", "summary"]))
        ],
        options: [], example: "squall schema > profile.schema.json",
        perform: { arguments, invocation in
            let schema =
                arguments.operands.first == "summary"
                ? SummarySchema.json(for: .installed)
                : ProfileSchema.json(for: invocation.tool.runner.vocabulary)
            invocation.console.write(schema.document, to: .output)
            return .passed
        })
}
