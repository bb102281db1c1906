import Foundation
import Testing

@Suite("The commands of the README and of the page of commands")
struct ReadmeTests {
    @Test(
        "Each command of the documents works as it is written, at a smaller size",
        arguments: Readme.commands)
    func works(command: String) throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(Readme.smaller(command))
        #expect([0, 1].contains(outcome.status), "\(outcome.errors)")
        #expect(!outcome.output.isEmpty)
    }

    @Test("The README shows the beginning of the kept reference result")
    func answer() throws {
        let kept = BuiltTool.package.appending(path: "Results/reference/quick/summary.txt")
        let text = String(decoding: try Data(contentsOf: kept), as: UTF8.self)
        let head = try #require(text.firstMatch(of: /(?:.|\n)*?\n  steps .*\n\n/)?.0)
        let pattern = /(\$ squall run quick\n)((?:.|\n)*?)(…\n```)/
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            let readme = Readme.text.replacing(pattern) { "\($0.1)\(head)\($0.3)" }
            try Data(readme.utf8).write(to: Readme.file)
        } else {
            #expect(Readme.text.firstMatch(of: pattern)?.2 == head)
        }
    }

    @Test("The README's picture has the words of today's page; .ci/picture makes a new one")
    func picture() throws {
        let tool = try BuiltTool()
        defer { tool.remove() }
        let outcome = try tool.run(["run", "quick", "--users", "200", "--quiet"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let results = tool.folder.appending(path: "Results/quick")
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: results.path(percentEncoded: false))
        let name = try #require(names.sorted().first { $0.hasSuffix("report.html") })
        let page = String(
            decoding: try Data(contentsOf: results.appending(path: name)), as: UTF8.self)
        let head = try #require(page.firstMatch(of: /<header(?:.|\n)*?<\/header>/)?.0)
        let words = head.replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace)
        let kept = try Data(
            contentsOf: BuiltTool.package.appending(path: "Sources/Squall/Squall.docc/report.txt"))
        #expect(
            words.joined(separator: " ") + "\n" == String(decoding: kept, as: UTF8.self),
            "README's picture is old: make it with .ci/picture")
    }

    @Test(
        "Commands of the README are tested with fewer users and otherwise as written",
        arguments: [
            (
                "run quick --users 1M --json",
                ["run", "quick", "--json", "--users", "40", "--for", "30s"]
            ),
            ("check quick --for=10m", ["check", "quick", "--users", "40", "--for", "30s"]),
            ("help exit-codes", ["help", "exit-codes"]),
        ])
    func smaller(command: String, words: [String]) {
        #expect(Readme.smaller(command) == words)
    }
}

/// The commands that the README shows.
enum Readme {
    static let file = BuiltTool.package.appending(path: "README.md")

    static let text = read(file)

    /// The pages whose commands are played.
    private static let pages =
        text + read(BuiltTool.package.appending(path: "Sources/Squall/Squall.docc/Commands.md"))

    private static func read(_ file: URL) -> String {
        String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
    }

    /// The words after `squall` of each line of its shell blocks.
    static let commands: [String] = {
        let lines = pages.matches(of: /```sh\n((?:.|\n)*?)```/).flatMap {
            $0.1.split(separator: "\n")
        }
        let commands = lines.compactMap { line in
            line.firstMatch(
                of: /^(?:swift run (?:-c release )?|\.build\/release\/)?squall ([^#|>]*)/)?.1
        }
        return commands.map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }()

    /// The command's words, with few users and little time where it runs a profile, and one server
    /// where it would drill with each.
    static func smaller(_ command: String) -> [String] {
        let words = command.split(separator: " ").map { $0.filter { $0 != "'" } }
        if words.first == "drill" {
            let server = words.contains("--server") ? [] : ["--server", "strict"]
            return words + server + ["--schedules", "1"]
        }
        if words.first == "explore" { return words + ["--schedules", "60"] }
        let plans: [String?] = ["capacity", "compare", "sweep"]
        guard (["run", "check"] + plans).contains(words.first) else { return words }
        let limits =
            switch words.first {
            case "capacity": ["--to", "60", "--max-replications", "2"]
            case "compare", "sweep": ["--replications", "2"]
            default: words.contains("auto") ? ["--max-replications", "2"] : []
            }
        var kept: [String] = []
        var isValue = false
        for word in words {
            let isSize = word.hasPrefix("--users") || word.hasPrefix("--for")
            if !isSize && !isValue { kept.append(word) }
            isValue = isSize && !word.contains("=")
        }
        return kept + limits + ["--users", "40", "--for", "30s"]
    }
}
