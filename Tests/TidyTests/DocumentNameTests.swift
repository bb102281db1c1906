import Foundation
import Testing

@Suite("Names in documents")
struct DocumentNameTests {
    @Test("Each file that the tour names exists")
    func files() throws {
        let below = FileManager.default.enumerator(atPath: SourceFile.root.path())
        let paths = (below?.allObjects ?? []).compactMap { ($0 as? String).map { "/" + $0 } }
        let tour = try SourceFile(path: "Sources/README.md").lines().joined(separator: "\n")
        let named = tour.matches(of: /`([\w+\/.]+\.(swift|h|c|txt|md))`/).map { "/" + $0.1 }
        #expect(named.count > 200)
        let missing = Set(named).filter { name in !paths.contains { $0.hasSuffix(name) } }
        #expect(missing == [])
    }

    @Test("Each test that a document of an app names exists")
    func tests() throws {
        let documents = SourceFile.documents.filter { $0.path.contains("/SquallCases/") }
        let named = try documents.flatMap { document in
            try document.lines().flatMap { line -> [String] in
                var suite = ""
                // A name without a suite is of the one before it.
                return line.matches(of: /`(\w+Tests)?\.([a-z]\w+)`/).map { match in
                    suite = match.1.map(String.init) ?? suite
                    return "\(suite).\(match.2)"
                }
            }
        }
        #expect(named.count > 30)
        let known = try Set(
            SourceFile.all.filter { $0.path.contains("Tests/") }.flatMap { file -> [String] in
                var suite = ""
                return try file.lines().compactMap { line in
                    if line.hasPrefix("struct ") || line.hasPrefix("extension "),
                        let match = line.firstMatch(of: /^(?:struct|extension) (\w+Tests)\b/)
                    {
                        suite = String(match.1)
                    }
                    guard line.hasPrefix("    func ") else { return nil }
                    return line.firstMatch(of: /^    func (\w+)\(/).map { "\(suite).\($0.1)" }
                }
            })
        #expect(named.filter { !known.contains($0) } == [])
    }
}
