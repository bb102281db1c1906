import Foundation
import Testing

@testable import SquallFormat
@testable import SquallReport

/// One value has one name, one name one value: the headings of every table, on page and terminal.
@Suite("The dictionary of columns")
struct ColumnTests {
    /// A column as the sources declare it.
    private struct Declared {
        let name, short, content: String
        /// As it is written; nil where the glossary has it.
        let meaning: String?

        func declares(_ column: Column) -> Bool {
            name == column.name && short == column.short
                && Self.contents[content] == column.content
        }

        private static let contents: [String: Column.Content] = [
            "words": .words, "sentence": .sentence, "bar": .bar, "count": .count,
            "duration": .duration, "number": .number, "rate": .rate, "share": .share,
        ]
    }

    private static let all: [Declared] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources").standardizedFileURL
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let text = (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            .filter { $0.contains(" = Column(") }.joined()
        let declaration =
            #/
            static\ let\ \w+\ =\ Column\(\s*"(?<name>[^"]*)",\s*
            (?:"(?<short>[^"]*)",\s*)?\.(?<content>\w+)
            (?:,\s*(?<meaning>"[^"]*"|[\w.]+(?:\([^)]*\))?))?
            /#
        return text.matches(of: declaration).map { match in
            let found = match.output
            return Declared(
                name: String(found.name), short: String(found.short ?? found.name),
                content: String(found.content), meaning: found.meaning.map(String.init))
        }
    }()

    @Test("No two columns share a name or a definition, and each has both")
    func columnsDiffer() {
        let columns = Self.all.filter { $0.content != "bar" }
        #expect(columns.count > 140)
        let twice = { (words: [String]) in
            Dictionary(grouping: words) { $0 }.filter { $1.count > 1 }.keys.sorted()
        }
        #expect(twice(columns.map(\.name)) == [])
        #expect(twice(columns.compactMap(\.meaning)) == [])
        let unexplained = columns.filter {
            $0.meaning == nil && Glossary.meaning(of: $0.name) == nil
        }
        #expect(unexplained.map(\.name) == [])
    }

    @Test("The short heading of a column consists of words of its name")
    func shortNames() {
        for column in Self.all {
            let name = column.name.split { " ,/".contains($0) }
            let short = column.short.split { " ,/".contains($0) }
            #expect(short.allSatisfy(name.contains), "\(column.short) for \(column.name)")
        }
    }

    @Test("A definition is a metric's only where the name is, too")
    func metrics() {
        for metric in MetricCatalogue.sample.metrics {
            let column = Self.all.first { $0.name == metric.name }
            #expect(
                column == nil || column?.meaning?.hasPrefix("Metric.") == true, "\(metric.name)")
        }
    }

    @Test("Every table of a run has its columns from the dictionary, each once")
    func tables() throws {
        let tables = try RunSummary.sample { $0.fill() }.sections().flatMap(\.blocks)
            .compactMap { block in if case .table(let table) = block { table } else { nil } }
        #expect(tables.count > 20)
        for table in tables {
            let columns = table.columns.filter { $0 != .bar }
            #expect(Set(columns.map(\.name)).count == columns.count)
            #expect(Set(columns.map(\.short)).count == columns.count, "\(columns.map(\.short))")
            for column in columns where !column.name.hasPrefix("4") {
                let isDeclared =
                    Self.all.contains { $0.declares(column) }
                    || Percentile.all.contains { $0.column == column }
                #expect(isDeclared, "\(column.name) is in no dictionary")
            }
        }
    }

    @Test("A row of another length than its table's columns ends the process")
    func shortRow() async {
        await #expect(processExitsWith: .failure) {
            _ = Table([.figure, .value], [[Cell("p95")]])
        }
    }
}
