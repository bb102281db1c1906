import Foundation
import Testing

@testable import CommandLineTool

@Suite("The page that leads from code to a token design")
struct DesignPageTests {
    private static func page() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = root.appending(path: "Sources/Squall/Squall.docc/WhichDesignIsMine.md")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// The settings of a design, as the help lists them.
    private static func settings() throws -> Set<String> {
        let squall = try PlayedTool()
        #expect(squall.run("help", "profile") == .passed)
        let lines = squall.console.output.split(separator: "\n")
        let names = lines.compactMap { line in
            line.firstMatch(of: #/^apps\[\]\.designs\[\]\.tokens\.([a-zA-Z]+) /#)?.1
        }
        return Set(names.map(String.init))
    }

    @Test("The page asks about every setting of a token design and about no other")
    func settings() throws {
        let page = try Self.page()
        let known = try Self.settings()
        #expect(known.count > 8)
        let settings = known.subtracting(["asksTwice"])
        for name in settings { #expect(page.contains("\"\(name)\""), "\(name)") }
        let named = page.matches(of: /`"([a-zA-Z]+)":/).map { String($0.1) }
        #expect(Set(named).subtracting(["design"]).isSubset(of: known))
    }

    @Test("The page's example of a token design is valid in a fresh draft")
    func example() throws {
        let example = try #require(
            Self.page().firstMatch(of: /```json\n"tokens": ((?:.|\n)*?)```/)?.1)
        let squall = try PlayedTool()
        #expect(squall.run("new", "my-api.json") == .passed)
        let draft = try squall.read("my-api.json")
        let changed = draft.replacing(
            #""tokens": { "notices": ["status"], "singleFlight": true }"#,
            with: "\"tokens\": \(example)")
        #expect(changed != draft)
        try squall.write(changed, to: "mine.json")
        #expect(squall.run("validate", "mine.json") == .passed, "\(squall.console.errors)")
    }
}
