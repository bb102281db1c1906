import TestSupport
import Testing

@testable import SquallDocument
@testable import SquallReport

@Suite("The page of an answer over several runs")
struct AnswerPageTests {
    private static func page() throws -> XMLTree {
        var document = AnswerDocument(
            kind: "Capacity", subject: "quick", sentence: "Two.", replayCommand: "squall")
        let table = Table(
            [Column("users", .number), .p95, .interval, .verdict],
            [
                [.init("7 330", 7_330, isGood: true), .none, .init("1s…2s"), .init("better")],
                [.init("9 497", 9_497, isGood: false), .init("2s", 2e9), .none, .init("worse")],
            ])
        let chart = AnswerChart(
            "Throughput", over: .init("users"),
            [.init("steps", [.init(7_330, 1), .init(9_497, 2)])])
        document.sections = [Section("Points", [.table(table), .picture(chart)])]
        return try XMLTree(document.html)
    }

    @Test("Numbers and what stands among them are aligned on one line, words are not")
    func alignment() throws {
        let rows = try Self.page().elements("tbody")[0].elements("tr")
        let kinds = rows.map { $0.elements("td").map { $0.attributes["class"] ?? "" } }
        #expect(kinds == [["n", "n", "n", "p"], ["n", "n", "n", "p"]])
        #expect(rows[0].elements("td")[0].text == "✓ 7 330")
        #expect(rows[1].elements("td")[0].attributes["data-key"] == "9497")
    }

    @Test("Thousands along an axis are grouped as they are in the table")
    func axis() throws {
        let feet = try Self.page().elements("div").first { $0.attributes["class"] == "x" }
        #expect(feet?.elements("span").map(\.text).last == "10 000")
    }
}
