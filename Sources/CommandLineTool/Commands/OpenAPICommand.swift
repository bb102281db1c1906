import SquallFormat
import SquallLab
import SquallReport
import SquallServices

extension Command {
    static let openAPI = Command(
        name: "openapi", summary: "Print the backend's contract as an OpenAPI 3.1 document.",
        operands: [
            Operand(
                name: "generation", count: .one, values: .words(OpenAPIDocument.years))
        ],
        options: [], example: "squall openapi 2024 > backend.json",
        perform: { invocation in
            let name = invocation.arguments.operands[0]
            guard let document = OpenAPIDocument.json(for: name) else {
                throw CommandFailure.usage("there is no contract of '\(name)'")
            }
            invocation.console.write(document.document, to: .output)
            return .passed
        })
}
