import SquallFormat
import SquallLab
import SquallReport

extension Command {
    static let schema = Command(
        name: "schema",
        summary:
            "Print the JSON Schema of profiles or summary.json, or a Grafana dashboard.",
        operands: [
            Operand(
                name: "file", count: .atMostOne, values: .words(["profile", "summary", "grafana"]))
        ],
        options: [], example: "squall schema > profile.schema.json",
        simulates: false,
        perform: { invocation in
            let schema =
                switch invocation.arguments.operands.first {
                case "summary": SummarySchema.json(for: .installed)
                case "grafana": GrafanaDashboard.json
                default: ProfileSchema.json(for: invocation.tool.runner.vocabulary)
                }
            invocation.console.write(schema.document, to: .output)
            return .passed
        })
}
