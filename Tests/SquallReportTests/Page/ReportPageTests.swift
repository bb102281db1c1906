import Foundation
@testable import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

@Suite("Report page")
struct ReportPageTests {
    static let panels = [
        "Overview", "Findings", "Thresholds", "Assumed values", "Populations", "Load", "Transient",
        "Latency", "Token refresh", "Failures", "Audits", "Retries", "Server",
        "Calls of hidden screens", "Endpoints", "Pagination", "Journeys", "Faults", "Assumptions",
        "Words", "Self-checks",
    ]

    @Test("The report page is well-formed XML with every panel in order, whatever the names hold")
    func wellFormed() throws {
        for name in ["GET /episodes", "</script><b a=\"", "a&b\u{1}", "줄\u{202e}"] {
            let page = try XMLTree(SavedRun.sample(endpoint: name).html)
            #expect(page.elements("h2").map(\.text) == Self.panels)
            #expect(page.elements("script").count == 1)
        }
    }

    @Test("Every figure has its data, a line under the names for each of its places")
    func tables() throws {
        let page = try XMLTree(SavedRun.sample().html)
        let figures = page.elements("figure")
        // Three of the overview, two of load, five of latency, one each of refreshes, retries and
        // pages.
        #expect(figures.count == 13)
        for figure in figures {
            let data = try #require(figure.elements("pre").first)
            let places = try #require(data.attributes["data-at"]).split(separator: " ")
            let lines = data.text.split(separator: "\n").map { $0.split(separator: "\t") }
            // Of places that are evenly apart the first and the last are told.
            #expect([2, lines.count - 1].contains(places.count) && lines.count > 1)
            #expect(lines.allSatisfy { $0.count == lines[0].count })
            #expect(figure.elements("svg").allSatisfy { $0.attributes["aria-label"] != nil })
        }
    }

    @Test("The report page loads nothing but files beside it")
    func selfContained() throws {
        let html = try SavedRun.sample().html
        for load in ["http:", "https:", "//", "src=", "@import", "url(", "<link", "<img"] {
            #expect(!html.contains(load), "\(load)")
        }
        let links = try XMLTree(html).elements("a").compactMap { $0.attributes["href"] }
        #expect(links.allSatisfy { $0.wholeMatch(of: /[a-z]+\.[a-z]+|#[\p{L}-]+/) != nil })
    }

    @Test("The report page is complete without its script")
    func withoutScript() throws {
        let html = try SavedRun.sample().html
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
        let page = try XMLTree(run.html)
        let absent = page.elements("p").filter { $0.attributes["class"] == "absent" }
        // All but the words, which are always there, and assumed values, which are where any are.
        #expect(absent.count == Self.panels.count - 2)
        #expect(page.elements("figure").isEmpty)
    }

    @Test("A population that does not recover from a fault says so, one that does says when")
    func recoveries() throws {
        let page = try XMLTree(SavedRun.sample().html)
        let section = page.elements("section").first { $0.attributes["id"] == "populations" }
        let rows = section?.elements("table").first?.elements("tr").dropFirst()
        let last = rows?.compactMap { $0.elements("td").last?.text }
        #expect(last == ["✗ never", "1.5 s", "–"])
    }

    @Test("A page says of a fault that the system stayed down after it: metastable")
    func metastable() throws {
        let fault = FaultRow(
            name: "serverStop", startNanoseconds: 2_000_000_000, endNanoseconds: 4_000_000_000,
            goodputBefore: 9, goodputAfter: 1, recovery: .metastable)
        let sample = try SavedRun.sample()
        let run = SavedRun(
            summary: .made(.sample()) {
                ($0.retries, $0.faults) = (.sample(endpoint: "a"), [fault])
            },
            timeseries: sample.timeseries, latencies: sample.latencies)
        let page = try XMLTree(run.html)
        let section = page.elements("section").first { $0.attributes["id"] == "faults" }
        #expect(section?.text.contains("metastable") == true)
    }

    @Test("A time in which something is wrong is shaded from its beginning to its end, everywhere")
    func windows() throws {
        let fault = FaultRow(
            name: "serverStop", startNanoseconds: 2_000_000_000, endNanoseconds: 4_000_000_000,
            goodputBefore: 9, goodputAfter: 9, recovery: .after(nanoseconds: 0))
        let sample = try SavedRun.sample()
        let run = SavedRun(
            summary: .made(.sample()) {
                ($0.retries, $0.faults) = (.sample(endpoint: "a"), [fault])
            },
            timeseries: sample.timeseries, latencies: sample.latencies)
        let figures = try XMLTree(run.html).elements("figure").filter { figure in
            figure.elements("svg").first?.attributes["aria-label"] != "Latency by percentile"
                && !figure.elements("svg").isEmpty
        }
        #expect(figures.count > 6)
        for figure in figures {
            let window = figure.elements("path").first { $0.attributes["class"] == "window" }
            let path = try #require(window?.attributes["d"])
            let numbers = path.matches(of: /[MH]([0-9.]+)/).compactMap { Double($0.1) }
            let span = try #require(numbers.first.map { ($0, numbers[1]) })
            // Two to four of ten seconds, or of as many as the chart rounds them up to.
            #expect(abs(span.1 - 2 * span.0) < 2 && (150...210).contains(span.0), "\(path)")
        }
    }

    @Test("A heat map says in numbers what its shades mean, without a gap")
    func legend() throws {
        let page = try XMLTree(SavedRun.sample().html)
        let figure = try #require(
            page.elements("figure").first { figure in
                figure.elements("strong").first?.text.hasPrefix("Latency heatmap") == true
            })
        let keys = figure.elements("span").filter { $0.attributes["class"] == "key" }.map(\.text)
        let ends = keys.map { key in key.split(separator: "–").compactMap { Int($0) } }
        #expect(ends.first?.first == 1 && keys.count > 1)
        for (one, next) in zip(ends, ends.dropFirst()) {
            #expect(one.last.map { $0 + 1 } == next.first)
        }
    }

    @Test("The slowest step is one that varies, not a screen that always takes the same")
    func slowest() throws {
        var metrics = Metrics()
        for (step, spans) in [("splash", [2_000, 2_000]), ("main", [10, 900])] {
            let slot = metrics.trend(MetricKey(.stepDuration, [.journey: "read", .step: step]))
            for span in spans { metrics.record(Int64(span) * 1_000_000, in: slot) }
        }
        let page = try XMLTree(SavedRun.of(.made(metrics)).html)
        let tile = page.elements("div").first {
            $0.elements("span").first?.text.hasPrefix("slowest step") == true
                && $0.elements("span").count == 3
        }
        #expect(tile?.elements("span").last?.text == "read · main")
    }

    @Test("The report page begins with the verdict and says how to run it again")
    func head() throws {
        let run = try SavedRun.sample()
        let page = try XMLTree(run.html)
        #expect(page.elements("h1").first?.text == "✗ failed evening-storm")
        let answer = page.elements("p").first { $0.attributes["class"] == "answer" }
        #expect(answer?.text == run.summary.answer.joined(separator: " "))
        let code = page.elements("header").first?.elements("code").first
        #expect(code?.text == "squall run Profiles/evening-storm.json --seed 42")
        #expect(page.elements("dd").map(\.text).contains("0123456789abcdef"))
    }

    @Test("A report page made from the files of a run has the same bytes")
    func again() throws {
        let run = try SavedRun.sample()
        let series = SavedRun.series()
        let read = SavedRun(
            summary: try JSONDocument.read(
                RunSummary.self, from: Data(JSONDocument.text(run.summary).utf8)),
            timeseries: try TimeTable(csv: TimeTable(series, run.latencies).csv),
            latencies: try LatencyLog(text: run.latencies.text))
        #expect(read.html == run.html)
    }
}

@Suite("Tree of attempts")
struct CallLineTests {
    @Test("Each part is below the whole it belongs to, and what never happened is left out")
    func lines() {
        let tree = AttemptTree(
            "attempts",
            [
                AttemptTree("first attempts", attempts: 5),
                AttemptTree("retries", [AttemptTree("419", attempts: 2)]),
                AttemptTree("nothing", attempts: 0),
            ])
        let lines = tree.lines()
        #expect(lines.map(\.node.name) == ["attempts", "first attempts", "retries", "419"])
        #expect(lines.map(\.depth) == [0, 1, 1, 2])
        #expect(lines.map(\.node.attempts) == [7, 5, 2, 2])
    }
}
