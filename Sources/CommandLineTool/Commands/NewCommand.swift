import Foundation
import SquallBackend
import SquallFit
import SquallFormat
import SquallServices

extension Command {
    static let new = Command(
        name: "new",
        summary: "Write a commented profile or a Swift package that runs as it is.",
        operands: [Operand(name: "file", count: .atMostOne, values: .files)],
        options: [
            Option(
                "--openapi", .path("file"),
                "Read endpoints from an OpenAPI 3 or Swagger 2 document in JSON or YAML."),
            Option(
                "--log-in", .text("call"),
                "The call that signs in, such as 'POST /login'; guessed from the document by"
                    + " default."),
            Option(
                "--refresh", .text("call"),
                "The call that refreshes a token; guessed by default."),
            Option("--log-out", .text("call"), "The call that signs out; guessed by default."),
            .tokenService,
            Option(
                "--swift",
                "Write a Swift package into a new folder instead: a client, the app that drives it,"
                    + " a profile and a test."),
            Option(
                "--package", .text("path or URL"),
                "Where the package finds Squall, not your client; ../Squall by default."),
        ],
        example: "squall new my-api.json",
        simulates: false, perform: { try NewCommand(invocation: $0).perform() })
}

/// Writes a profile or a package to begin with.
private struct NewCommand: PerformedCommand {
    let invocation: Invocation

    func perform() throws -> ExitCode {
        if arguments.has("--swift") { return try writePackage() }
        try arguments.refuse(["--package"], "is for --swift only")
        if arguments.has("--openapi") {
            try arguments.refuse(["--service"], "and --openapi exclude each other")
        } else {
            try arguments.refuse(["--log-in", "--refresh", "--log-out"], "is for --openapi only")
        }
        let drafted = try arguments.text("--openapi").map(openAPI)
        let draft = try drafted?.draft ?? preset() ?? .example
        let file = arguments.operands.first ?? "my-api.json"
        let text = draft.text(for: file.quotedForShell.visible)
        guard let name = arguments.operands.first else {
            console.write(text, to: .output)
            return .passed
        }
        try OutputFile(name, console: console).writeNew(text)
        // Without an ending of files it would be the name of a profile.
        let path = ProfileFile.isPath(name) ? name : "./" + name
        print(
            ["\(name.visible) is written. Try: squall run \(path.quotedForShell)"]
                + (drafted?.guesses ?? []))
        return .passed
    }

    /// The example behind the token service that was named.
    private func preset() throws -> ProfileDraft? {
        try tokenPreset().map {
            .example(
                of: $0.name, source: $0.source, about: $0.about, tokens: $0.service.tokens.settings)
        }
    }

    /// Writes a package into a folder with its name.
    private func writePackage() throws -> ExitCode {
        for option in ["--openapi", "--service"] where arguments.has(option) {
            throw CommandFailure.usage("--swift and \(option) exclude each other")
        }
        let folder = arguments.operands.first ?? "MyApp"
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        guard name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil else {
            throw CommandFailure.usage(
                "a package's name begins with a capital and has letters and digits only, such as"
                    + " MyApp; got '\(name.visible)'")
        }
        if let reason = StartingPackage.reason(against: name) {
            throw CommandFailure.usage("a package cannot be named \(name): \(reason)")
        }
        let package = StartingPackage(name: name, origin: try origin(for: console.file(folder)))
        try write(package, into: folder)
        print([
            "\(folder.visible) is written. Try:", "  cd \(folder.quotedForShell)",
            "  swift run \(package.command) run load.json    a storm, and what it costs",
            "  swift test                              the same in one test, which fails",
        ])
        return .passed
    }

    /// Writes a package's files into a new or empty folder, all of them or none.
    private func write(_ package: StartingPackage, into folder: String) throws {
        let place = console.file(folder).systemPath
        let wasThere = (try? FileManager.default.contentsOfDirectory(atPath: place)).map(\.isEmpty)
        if wasThere == false {
            throw CommandFailure.usage(
                "\(folder.visible) is not empty; give another name, or remove it")
        }
        do {
            for file in package.files {
                try OutputFile("\(folder)/\(file.path)", console: console)
                    .writeNew(file.text, makingFolder: true)
            }
        } catch {
            // The folder held nothing before, so all that is in it is of this package.
            let left = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for name in left { try? FileManager.default.removeItem(atPath: place + "/" + name) }
            if wasThere == nil { rmdir(place) }
            throw error
        }
    }

    /// Where the package in a new folder gets this package from, as its manifest names it: a path
    /// that holds wherever both lie, so also in a container that has the folder above them.
    private func origin(for folder: URL) throws -> String {
        let given = arguments.text("--package")
        let origin = given ?? "../Squall"
        if StartingPackage.isAddress(origin) { return origin }
        let place = (given.map(console.file) ?? folder.appending(path: origin)).standardizedFileURL
        let manifest = place.appending(path: "Package.swift")
        guard manifest.exists else {
            throw CommandFailure.usage(
                "no package lies at \(origin.visible); say where Squall is with --package")
        }
        if let text = try? String(contentsOf: manifest, encoding: .utf8),
            !text.contains("SquallTool")
        {
            throw CommandFailure.usage(
                "the package at \(origin.visible) is not Squall; say where Squall is with"
                    + " --package, and add your client to the Package.swift that is written")
        }
        let start = folder.standardizedFileURL.pathComponents
        let end = place.pathComponents
        // The last component stays: it is the package's name.
        let shared = zip(start, end.dropLast()).prefix { $0 == $1 }.count
        let above = Array(repeating: "..", count: start.count - shared)
        // Above a link, ".." is another folder than the path says.
        let parent = folder.deletingLastPathComponent().standardizedFileURL
        let isPlain = above.count == 1 || parent == parent.resolvingSymlinksInPath()
        // With a slash at the end no package name could be read from it.
        guard shared > 1, isPlain else { return place.systemPath }
        return (above + end.dropFirst(shared)).joined(separator: "/")
    }

    /// The draft of what a document describes.
    private func openAPI(_ path: String) throws -> DraftedProfile {
        let bytes = try ProfileFile.readable(path) { path in
            path == "-"
                ? try console.readInput()
                : try ProfileFile.bytes(
                    of: console.file(path), atMost: ProfileDraft.openAPIBytesMax + 1)
        }
        let options = [("logIn", "--log-in"), ("refresh", "--refresh"), ("logOut", "--log-out")]
        let tokenCalls = options.compactMap { name, option in
            arguments.text(option).map { (name, $0) }
        }
        return try DraftedProfile(
            bytes, of: path, tokenCalls: Dictionary(uniqueKeysWithValues: tokenCalls),
            tool.runner.vocabulary)
    }
}
