import Foundation
import SquallFormat
import Testing

@testable import SquallReport

@Suite("Report page")
struct ReportPageTests {
    static let panels = [
        "Thresholds", "Findings", "Audits", "Self-checks", "Populations", "Load", "Latency",
        "Token refresh", "Retries", "Pagination", "Server", "Endpoints", "Journeys",
        "Assumptions and faults",
    ]

    @Test("It is well-formed XML with every panel in its order, whatever the names hold")
    func wellFormed() throws {
        for name in ["GET /episodes", "</script><b a=\"", "a&b\u{1}", "줄\u{202e}"] {
            let page = try XMLTree(ReportPage(.sample(endpoint: name)).html)
            #expect(page.elements("h2").map(\.text) == Self.panels)
            #expect(page.elements("script").count == 1)
        }
    }

    @Test("Every figure has its data as a table with a row for each of its places")
    func tables() throws {
        let page = try XMLTree(ReportPage(.sample()).html)
        let figures = page.elements("figure")
        // Two of load, three of latency, one of refreshes, two of retries, one of pages.
        #expect(figures.count == 9)
        for figure in figures {
            #expect(figure.elements("table").count == 1)
            #expect(figure.elements("tbody").first?.elements("tr").isEmpty == false)
            #expect(figure.elements("svg").allSatisfy { $0.attributes["aria-label"] != nil })
        }
    }

    @Test("It loads nothing: no address, no source, no import, only files beside it")
    func selfContained() throws {
        let html = try ReportPage(.sample()).html
        for load in ["http:", "https:", "//", "src=", "@import", "url(", "<link", "<img"] {
            #expect(!html.contains(load), "\(load)")
        }
        let links = try XMLTree(html).elements("a").compactMap { $0.attributes["href"] }
        #expect(links.allSatisfy { $0.wholeMatch(of: /[a-z]+\.[a-z]+/) != nil })
    }

    @Test("Without its script nothing is missing: the script makes no panel, chart or table")
    func withoutScript() throws {
        let html = try ReportPage(.sample()).html
        #expect(!html.contains("onclick") && !html.contains("<noscript"))
        #expect(!PageScript.source.contains { "<&".contains($0) })
        #expect(!PageStyle.source.contains { "<&".contains($0) })
    }

    @Test("A run in which nothing happened says so in each panel")
    func empty() throws {
        let run = SavedRun(
            summary: .empty,
            timeseries: TimeTable(TimeSeries(columns: [], intervalNanoseconds: 1_000_000)),
            latencies: LatencyLog())
        let page = try XMLTree(ReportPage(run).html)
        let absent = page.elements("p").filter { $0.attributes["class"] == "absent" }
        // All but the assumptions, which say that nothing was done to the server.
        #expect(absent.count == Self.panels.count - 1)
        #expect(page.elements("figure").isEmpty)
    }

    @Test("A population that does not recover from a fault says so, one that does says when")
    func recoveries() throws {
        let page = try XMLTree(ReportPage(.sample()).html)
        let section = page.elements("section").first { $0.attributes["id"] == "populations" }
        let last = section?.elements("tr").dropFirst().compactMap { $0.elements("td").last?.text }
        #expect(last == ["✗ never", "1.5s", "–"])
    }

    @Test("It leads with the verdict and says how to run it again")
    func head() throws {
        let page = try XMLTree(ReportPage(.sample()).html)
        #expect(page.elements("h1").first?.text == "✗ failed evening-storm")
        let code = page.elements("header").first?.elements("code").first
        #expect(code?.text == "squall run Profiles/evening-storm.json --seed 42")
        #expect(page.elements("dd").map(\.text).contains("0123456789abcdef"))
    }

    @Test("What is read back from the files gives the same bytes")
    func again() throws {
        let run = try SavedRun.sample()
        let series = SavedRun.series()
        let read = SavedRun(
            summary: try JSONDocument.read(
                RunSummary.self, from: Data(JSONDocument.text(run.summary).utf8)),
            timeseries: try TimeTable(csv: series.csv),
            latencies: try LatencyLog(text: run.latencies.text))
        #expect(ReportPage(read).html == ReportPage(run).html)
    }
}

@Suite("Tree of wire calls")
struct CallLineTests {
    @Test("Each part is below the whole it belongs to, and what never happened is left out")
    func lines() {
        let tree = CallTree(
            "wire calls",
            [
                CallTree("first tries", calls: 5), CallTree("retries", [CallTree("419", calls: 2)]),
                CallTree("nothing", calls: 0),
            ])
        let lines = CallLine.lines(of: tree)
        #expect(lines.map(\.name) == ["wire calls", "first tries", "retries", "419"])
        #expect(lines.map(\.depth) == [0, 1, 1, 2])
        #expect(lines.map(\.calls) == [7, 5, 2, 2])
    }
}
