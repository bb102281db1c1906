import Foundation
import SquallFormat
import SquallLab

extension Command {
    static let new = Command(
        name: "new",
        summary: "Write a commented profile, or a Swift package, which runs as it is.",
        operands: [Operand(name: "file", count: .atMostOne, values: .files)],
        options: [
            Option(
                name: "--openapi", value: .path("file"),
                summary: "Make it from an OpenAPI 3 document, in JSON."),
            Option(
                name: "--swift", value: .none,
                summary: "Write a package into a new folder instead: a client, the app that puts"
                    + " it under load, its profile and a test."),
            Option(
                name: "--package", value: .text("path or URL"),
                summary: "Where that package has Squall from; ../Squall by default."),
        ],
        example: "squall new my-api.json",
        perform: { arguments, invocation in
            let console = invocation.console
            if arguments.has("--swift") { return try package(arguments, console) }
            if arguments.text("--package") != nil {
                throw CommandFailure.usage("--package is for --swift only")
            }
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
            let guesses = service.remarks.flatMap {
                Prose.lines($0.visible, first: "· ", rest: "  ")
            }
            let said = guesses.isEmpty ? [] : ["Guessed, so look at it first:"] + guesses
            let lines = ["\(name.visible) is written. Try: squall run \(word)"] + said
            console.write(lines.map { $0 + "\n" }.joined(), to: .output)
            return .passed
        })

    /// Writes a package into a folder with its name.
    private static func package(
        _ arguments: Arguments, _ console: any Console
    ) throws -> ExitCode {
        if arguments.text("--openapi") != nil {
            throw CommandFailure.usage("--swift and --openapi exclude each other")
        }
        let folder = arguments.operands.first ?? "MyApp"
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        guard name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil else {
            throw CommandFailure.usage(
                "a package's name begins with a capital and has letters and digits only, such as"
                    + " MyApp; got '\(name.visible)'")
        }
        let package = StartingPackage(
            name: name, origin: try origin(arguments.text("--package"), console))
        for file in package.files {
            try OutputFile("\(folder)/\(file.path)", console: console)
                .writeNew(file.text, makingFolder: true)
        }
        let word = folder.quotedForShell
        console.write(
            """
            \(folder.visible) is written. Try:
              cd \(word)
              swift run \(package.command) run load.json    a storm, and what it costs
              swift test                              the same in one test, which fails

            """, to: .output)
        return .passed
    }

    /// Where the new package gets this package from, as its manifest names it.
    private static func origin(_ given: String?, _ console: any Console) throws -> String {
        let origin = given ?? "../Squall"
        if StartingPackage.isAddress(origin) { return origin }
        let place = console.file(origin)
        let manifest = place.appending(path: "Package.swift").path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: manifest) else {
            throw CommandFailure.usage(
                "no package lies at \(origin.visible); say where Squall is with --package")
        }
        return place.standardizedFileURL.path(percentEncoded: false).trimmingSlash
    }

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

extension String {
    /// The text without a trailing slash, from which no package name could be read.
    fileprivate var trimmingSlash: String {
        count > 1 && hasSuffix("/") ? String(dropLast()) : self
    }
}
