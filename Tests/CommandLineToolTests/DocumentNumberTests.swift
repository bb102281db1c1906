import Foundation
import SquallRaces
import Testing

@testable import CommandLineTool

@Suite("Numbers in the documents")
struct DocumentNumberTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    private static var documents: [URL] {
        get throws {
            let articles = root.appending(path: "Sources/Squall/Squall.docc")
            let names = try FileManager.default.contentsOfDirectory(
                atPath: articles.path(percentEncoded: false))
            return [root.appending(path: "README.md")]
                + names.filter { $0.hasSuffix(".md") }.sorted().map { articles.appending(path: $0) }
        }
    }

    @Test("Documents have the number of drills that there are; UPDATE_GOLDEN=1 fills it in")
    func drills() throws {
        // A number in parentheses is of a table that was made once, one behind two spaces of a
        // printed table.
        let pattern = /(.?[^(0-9])([0-9]+)( (?:drills|scenarios|failure scenarios)\b)/
        let right = "\(Drill.all.count)"
        var found = 0
        for document in try Self.documents {
            let text = String(decoding: try Data(contentsOf: document), as: UTF8.self)
            found += text.matches(of: pattern).count
            if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
                let renewed = text.replacing(pattern) {
                    $0.1 == "  " ? $0.0 : $0.1 + right + $0.3
                }
                try Data(renewed.utf8).write(to: document)
            } else {
                for match in text.matches(of: pattern) where match.1 != "  " {
                    #expect(match.2 == right, "\(document.lastPathComponent): \(match.0)")
                }
            }
        }
        #expect(found >= 3)
    }

    @Test("Each setting and option stands in a document, a shipped profile or an example")
    func isSomewhere() throws {
        var texts =
            try Self.documents
            + ["Results/README.md", "Sources/README.md"].map {
                Self.root.appending(path: $0)
            }
        for folder in ["Profiles", "Sources/Examples"] {
            let place = Self.root.appending(path: folder)
            let names = FileManager.default.enumerator(atPath: place.path(percentEncoded: false))
            texts += (names?.allObjects ?? []).compactMap { $0 as? String }
                .filter { $0.hasSuffix(".json") || $0.hasSuffix(".md") }
                .map { place.appending(path: $0) }
        }
        let all = try texts.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        let words = Set(
            all.joined(separator: "\n").components(
                separatedBy: CharacterSet.letters.union(CharacterSet(charactersIn: "-$")).inverted))
        let squall = try PlayedTool()
        #expect(squall.run("help", "profile", "--names") == .passed)
        let settings = squall.console.output.split(separator: "\n").compactMap { path in
            path.split { !($0.isLetter || $0 == "$") }.last.map(String.init)
        }
        #expect(settings.count > 500)
        let options = Command.all.flatMap(\.options).filter { !$0.isHidden }.map(\.name)
        let missing = (settings + options).filter { !words.contains($0) }
        #expect(missing == [], "say in SeldomNeeded.md what they are for")
    }

    @Test("Documents and scripts name profiles that ship")
    func profiles() throws {
        let command =
            #/
            (?: squall"? | answer | page \s \S+ ) \s
            (?: run | explore | sweep | compare | capacity | serve | drive | check ) \s
            ( [a-z][a-z0-9\-]* ) (?! [\w.\/\-] )
            /#
        let scripts = ["pages", "picture", "bench", "references", "run"].map {
            Self.root.appending(path: ".ci/\($0)")
        }
        let named = try (Self.documents + scripts).flatMap { place in
            let text = String(decoding: try Data(contentsOf: place), as: UTF8.self)
            return text.matches(of: command).map { String($0.1) }
        }
        #expect(named.count > 40)
        let shipped = Set((BuiltInFile.profiles + BuiltInFile.races).map(\.name))
        #expect(named.filter { !shipped.contains($0) } == [])
    }
}
