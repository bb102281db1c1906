import Testing

@testable import SquallReport

/// One value has one name, one name one value: the headings of every table, on page and terminal.
@Suite("The dictionary of columns")
struct ColumnTests {
    private static let all = (Column.all + Column.ofAnswers).filter { $0 != .bar }

    @Test("No two columns share a name or a definition, and each has both")
    func columnsDiffer() {
        let twice = { (words: [String]) in
            Dictionary(grouping: words) { $0 }.filter { $1.count > 1 }.keys.sorted()
        }
        #expect(twice(Self.all.map(\.name)) == [])
        #expect(twice(Self.all.map(\.meaning)) == [])
        #expect(Self.all.filter { $0.name.isEmpty || $0.meaning.isEmpty }.map(\.name) == [])
    }

    @Test("What stands on a terminal is words of the name")
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
            #expect(column == nil || column?.meaning == metric.summary, "\(metric.name)")
        }
    }

    @Test("Every table of a run has its columns from the dictionary, each once")
    func tables() throws {
        let tables = RunDocument(try .sample(views: .full())).sections.flatMap(\.blocks)
            .compactMap { block in if case .table(let table) = block { table } else { nil } }
        #expect(tables.count > 20)
        let own = Column.all.flatMap { [$0, $0.onPage] }
        for table in tables {
            let columns = table.columns.filter { $0 != .bar }
            #expect(Set(columns.map(\.name)).count == columns.count)
            #expect(Set(columns.map(\.short)).count == columns.count, "\(columns.map(\.short))")
            for column in columns where !column.name.hasPrefix("4") {
                #expect(own.contains(column), "\(column.name) is in no dictionary")
            }
        }
    }
}
