@testable import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

/// Which member of `summary.json` each column of a table shows, told by numbers of which none is
/// there twice.
@Suite("The names of one value in file and table")
struct KeyTests {
    /// The blocks of a summary whose numbers are all different, and each number's way.
    private static func probe() throws -> (blocks: [Block], ways: [Double: String]) {
        let summary = try SchemaProbe.probe(RunSummary.self).value
        let document = try JSONParser.parse(Array(JSONDocument.text(summary).utf8))
        let ways = Dictionary(uniqueKeysWithValues: numbers(in: document, ""))
        return (summary.sections().flatMap(\.blocks), ways)
    }

    /// A member by the way to it, and the columns that show it.
    private static func shown() throws -> [String: Set<String>] {
        let (blocks, ways) = try probe()
        let tables = blocks.compactMap { block in
            if case .table(let table) = block { table } else { nil }
        }
        var shown: [String: Set<String>] = [:]
        for cell in tables.flatMap(\.rows).flatMap(\.self) {
            guard let number = cell.number, let way = ways[number] else { continue }
            shown[way, default: []].insert(cell.column.name)
        }
        return shown
    }

    /// The numbers of a document, each with its way; the places in lists are left out.
    private static func numbers(in node: JSONNode, _ way: String) -> [(Double, String)] {
        if let number = node.number { return [(number, way)] }
        return node.list.flatMap { numbers(in: $0, way) }
            + node.members.flatMap { member in
                numbers(in: member.value, way.isEmpty ? member.name : "\(way).\(member.name)")
            }
    }

    @Test("No value of the file has two names in tables")
    func oneName() throws {
        let shown = try Self.shown()
        #expect(shown.count > 60)
        #expect(shown.filter { $0.value.count > 1 }.keys.sorted() == [])
    }

    @Test("Each column shows the members that were accepted for it")
    func members() throws {
        let lines = try Self.shown().map { way, names in "\(names.sorted()[0]): \(way)" }.sorted()
        let text = lines.joined(separator: "\n")
        let differences = try GoldenFile.differences(of: text, from: "columns", of: "columns.txt")
        #expect(differences == [])
    }

    @Test("The file has the accepted names, object by object")
    func keys() throws {
        let summary = try SchemaProbe.probe(RunSummary.self).value
        let document = try JSONParser.parse(Array(JSONDocument.text(summary).utf8))
        func lines(_ node: JSONNode, _ way: String) -> [String] {
            let own = node.members.map(\.name).sorted().joined(separator: " ")
            return (own.isEmpty ? [] : ["\(way): \(own)"])
                + node.members.flatMap { lines($0.value, "\(way).\($0.name)") }
                + node.list.flatMap { lines($0, way + "[]") }
        }
        let text = Set(lines(document, "summary")).sorted().joined(separator: "\n")
        let differences = try GoldenFile.differences(of: text, from: "keys", of: "keys.txt")
        #expect(differences == [])
    }

    @Test("Each count in a section's sentence is the member that was accepted for it")
    func sentences() throws {
        let (blocks, ways) = try Self.probe()
        let sentences = blocks.compactMap { block in
            if case .sentence(let text) = block, text.contains(where: \.isNumber) {
                ways.filter { $0.key >= 1_000 }.reduce(text) {
                    $0.replacing(Units.grouped(Int64($1.key)), with: "<\($1.value)>")
                }
            } else {
                nil
            }
        }
        let text = sentences.joined(separator: "\n")
        let differences = try GoldenFile.differences(
            of: text, from: "sentences", of: "sentences.txt")
        #expect(differences == [])
    }

    @Test(
        "Neither the file nor a table has another word for one of the glossary's",
        arguments: [
            ("trigger", "fault"), ("storm", "peak"), ("window", "peak"), ("people", "user"),
            ("call", "attempt"), ("send", "attempt"), ("view", ""), ("session", ""),
        ])
    func words(other: String, word: String) throws {
        #expect(word.isEmpty || Glossary.meaning(of: word) != nil)
        let text = JSONDocument.text(try SchemaProbe.probe(RunSummary.self).value)
        let keys = text.matches(of: /"([A-Za-z0-9_]+)" :/).map { String($0.1) }
        let columns = try Self.shown().values.flatMap(\.self)
        // A call that is refreshed again and again is one call, however often it is sent; and what
        // is lost is a session, no visit.
        let found = Set(keys + columns).subtracting([
            "loopingCalls", "sessionsLost", "sessions lost",
        ])
        .filter { $0.lowercased().contains(other) }
        #expect(found.sorted() == [])
    }
}
