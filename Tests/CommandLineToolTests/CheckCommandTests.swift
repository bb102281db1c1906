import Foundation
import Testing

@testable import CommandLineTool

@Suite("squall check")
struct CheckCommandTests {
    @Test("Two equal runs are equal, and one of them hashed in another way")
    func equal() throws {
        let squall = try PlayedTool()
        squall.child = PlayedChildren { words, environment in
            #expect(words.prefix(4) == ["run", "storm", "--quiet", "--json"])
            #expect(words.contains("--users") && words.contains("--seed"))
            return environment["SWIFT_DETERMINISTIC_HASHING"] == nil ? ["manifest.json": "2"] : [:]
        }
        #expect(squall.run("check", "storm", "--users", "10", "--seed", "3") == .passed)
        #expect(
            squall.console.output
                == "Profiles/storm.json: two processes wrote the same bytes, in 1 file\n")
    }

    @Test("Two different runs give exit code 70, the first line and the first event that differ")
    func different() throws {
        let squall = try PlayedTool()
        squall.child = PlayedChildren { _, environment in
            let run = environment["SWIFT_DETERMINISTIC_HASHING"] == nil ? "2" : "1"
            return ["summary.json": "{\n\(run)\n}", "journal": "a\nb\nevent \(run)\nd\n"]
        }
        #expect(squall.run("check", "storm") == .internalError)
        #expect(
            squall.console.errors == """
                error: two runs of Profiles/storm.json differ
                error: summary.json, line 2:
                error:   run 1: 1
                error:   run 2: 2
                error: first divergent event, line 3:
                error:   run 1: event 1
                error:   run 2: event 2

                """)
    }

    @Test(
        "A run that cannot be made passes on its exit code and its words", arguments: [65, 74, 99])
    func failing(status: Int32) throws {
        let squall = try PlayedTool()
        squall.child = PlayedChildren(status: status) { _, _ in [:] }
        let code = squall.run("check", "storm")
        #expect(code == ExitCode(rawValue: status) ?? .internalError)
        #expect(squall.console.errors.contains("run 1 ended with \(status)\nerror: played"))
    }

    @Test("A file that only one run wrote is a difference")
    func missingFile() {
        let same = Array("x".utf8)
        #expect(
            FileDifference.all(
                between: ["a": same, "b": same], and: ["b": same, "c": same])
                == [.onlyIn(run: 1, file: "a"), .onlyIn(run: 2, file: "c")])
    }

    @Test(
        "The first differing line is found, whichever side ends first",
        arguments: [
            ("a\nb\n", "a\nb\n", nil), ("", "", nil),
            ("a\nb\n", "a\nc\n", (2, "b", "c")), ("a\nb", "a\nbc", (2, "b", "bc")),
            ("a\n", "a\nb\n", (2, "(it ends here)", "b")), ("", "x", (1, "(it ends here)", "x")),
            ("a\n", "a", (1, "a", "a")),
        ] as [(String, String, (Int, String, String)?)])
    func lines(one: String, other: String, expected: (Int, String, String)?) {
        let difference = FileDifference.first(in: "f", Array(one.utf8), Array(other.utf8))
        let wanted = expected.map {
            FileDifference.line(file: "f", number: $0.0, first: $0.1, second: $0.2)
        }
        #expect(difference == wanted)
    }
}

/// Children that write the files which a function of their words and environment gives them.
struct PlayedChildren: ChildProcess {
    var status: Int32 = 0
    let files: @Sendable ([String], [String: String]) -> [String: String]

    func run(_ words: [String], _ surroundings: ChildSurroundings) throws -> ChildOutcome {
        let files = files(words, surroundings.environment)
        guard let out = value(of: "--out", in: words) else {
            return ChildOutcome(status: status, errors: "no --out")
        }
        let folder = URL(filePath: out).appending(path: "storm/seed1-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files.merging(
            ["summary.json": "{}"], uniquingKeysWith: { own, _ in own })
        where name != "journal" {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        if let journal = value(of: "--journal", in: words) {
            try Data((files["journal"] ?? "").utf8).write(to: URL(filePath: journal))
        }
        return ChildOutcome(status: status, errors: "error: played")
    }

    private func value(of option: String, in words: [String]) -> String? {
        words.firstIndex(of: option).map { words[$0 + 1] }
    }
}
