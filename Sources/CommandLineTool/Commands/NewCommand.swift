import Foundation
import SquallFormat
import SquallProfile

extension Command {
    static let new = Command(
        name: "new", summary: "Write a commented profile to begin with, which runs as it is.",
        operands: [Operand(name: "file", count: .atMostOne, values: .files)],
        options: [
            Option(
                name: "--openapi", value: .path("file"),
                summary: "Make it from an OpenAPI 3 document, in JSON.")
        ],
        example: "squall new my-api.json",
        perform: { arguments, invocation in
            let console = invocation.console
            let file = arguments.operands.first ?? "my-api.json"
            var service = DraftService.example
            if let path = arguments.text("--openapi") {
                service = try openAPI(path, invocation)
            }
            let text = StartingProfile.text(
                for: file.quotedForShell.visible, service: service)
            guard let name = arguments.operands.first else {
                console.write(text, to: .output)
                return .passed
            }
            try OutputFile(name, console: console).writeNew(text)
            let word = name.quotedForShell
            console.write("\(name.visible) is written. Try: squall run \(word)\n", to: .output)
            return .passed
        })

    private static func openAPI(
        _ path: String, _ invocation: Invocation
    ) throws -> DraftService {
        let console = invocation.console
        let limit = OpenAPIReading.sizeLimit
        let bytes = try ProfileFile.readable(path) { path in
            path == "-"
                ? try console.readInput()
                : try ProfileFile.bytes(of: console.file(path), atMost: limit + 1)
        }
        do {
            return try OpenAPIReading(bytes, file: path).service
                .valid(in: invocation.tool.runner.vocabulary)
        } catch let error as OpenAPIError {
            throw CommandFailure(code: .invalidInput, description: error.description)
        } catch let error as InvalidProfile {
            throw CommandFailure(
                code: .invalidInput,
                description: "no profile can have what \(path) describes:\n\(error)")
        }
    }
}
