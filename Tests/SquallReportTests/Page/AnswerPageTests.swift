@testable import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

@Suite("The page of an answer over several runs")
struct AnswerPageTests {
    private static func page() throws -> XMLTree {
        var document = AnswerDocument(
            kind: "Capacity", subject: "quick", sentence: "Two.", replayCommand: "squall")
        let table = Table(
            [Column("users", .number), Column("p95", .duration), .interval, .verdict],
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
        #expect(kinds == [["", "", "", "p"], ["", "", "", "p"]])
        #expect(rows[0].elements("td")[0].text == "✓ 7 330")
        #expect(rows[1].elements("td")[0].attributes["data-key"] == "9497")
    }

    @Test("Thousands along an axis are grouped as they are in the table")
    func axis() throws {
        let feet = try Self.page().elements("div").first { $0.attributes["class"] == "x" }
        #expect(feet?.elements("span").map(\.text).last == "10 000")
    }
}

@Suite("The chart of differences")
struct DifferenceChartTests {
    @Test("The chart of differences has a bar for each interval, in the colour of its decision")
    func bars() throws {
        let chart = try #require(
            DifferenceChart([
                .init("waits", 0.5, low: 0.25, high: 1, isGood: false),
                .init("calls", -0.1, low: -0.3, high: 0.1, isGood: nil),
            ]))
        let tree = try XMLTree(try #require(chart.markup).source)
        let strips = tree.elements("svg")
        #expect(strips.map { $0.attributes["class"] } == ["worse", "unclear"])
        let bars = strips.map { $0.elements("path")[1].attributes["d"] }
        #expect(bars == ["M620 50H980", "M356 50H548"])
        #expect(tree.elements("span").map(\.text) == ["waits", "+50 %", "calls", "−10 %"])
    }

    @Test("The chart of differences is left out where no figure can differ")
    func none() {
        #expect(DifferenceChart([]) == nil)
        #expect(DifferenceChart([.init("a", 0, low: 0, high: 0, isGood: nil)]) == nil)
    }
}

@Suite("The chart of an answer")
struct AnswerChartTests {
    @Test("Few values are labelled in their own words; intervals and limits are drawn")
    func sweep() throws {
        var chart = AnswerChart(
            "waits", over: .init("life", of: [60e9, 300e9, 1_800e9]) { "\(Int($0 / 60e9)) min" },
            up: .durations,
            [
                .init(
                    "waits",
                    [
                        .init(60e9, 2e8, low: 1e8, high: 3e8), .init(300e9, 2e8),
                        .init(1_800e9, 1e8),
                    ])
            ])
        chart.limits = [(2e9, "waits: p(95)<2s")]
        let tree = try XMLTree(try #require(chart.markup).source)
        let feet = tree.elements("div").first { $0.attributes["class"] == "x" }
        #expect(feet?.elements("span").map(\.text) == ["1 min", "5 min", "30 min"])
        let paths = tree.elements("path").compactMap { $0.attributes["class"] }
        #expect(
            paths == [
                "grid", "line line-goodput", "bars line-goodput", "dots line-goodput", "limit",
            ])
        #expect(tree.elements("p").map(\.text) == ["life"])
        #expect(tree.elements("span").map(\.text).contains("waits: p(95)<2s"))
    }
}
