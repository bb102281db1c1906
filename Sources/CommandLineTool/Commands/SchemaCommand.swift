import Lab
import Report

extension Command {
    static let schema = Command(
        name: "schema", summary: "Print the JSON Schema of profile files, for editors.",
        operands: [], options: [], example: "squall schema > profile.schema.json",
        perform: { _, invocation in
            let schema = ProfileSchema.json(for: invocation.tool.engine.vocabulary)
            invocation.console.write(schema.document, to: .output)
            return .passed
        })
}
