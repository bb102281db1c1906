import SquallFormat

/// `report.html`: a run on one page that needs no network, no script and no wide screen.
///
/// Panels come in the order of a reader's questions: what is wrong, did it hold, is the other
/// design better, what happened over time, and why. A new panel is one file and one line here.
public struct ReportPage {
    private var panels: [any Panel] {
        [
            FindingPanel(run), ThresholdPanel(run), ComparisonPanel(run), PopulationPanel(run),
            LoadPanel(run), TransientPanel(run), LatencyPanel(run), RefreshPanel(run),
            FailurePanel(run), AuditPanel(run), RetryPanel(run), ServerPanel(run),
            HiddenScreenPanel(run), EndpointPanel(run), PaginationPanel(run), JourneyPanel(run),
            FaultPanel(run),
            AssumptionPanel(run), GlossaryPanel(run), SelfCheckPanel(run),
        ]
    }

    private let run: SavedRun

    /// The page of a run.
    public init(_ run: SavedRun) {
        self.run = run
    }

    /// The whole document, which is well-formed XML too.
    public var html: String {
        let parts = panels.map { ($0, $0.content) }
        let links = parts.filter { !$0.1.isEmpty }.map { panel, _ in
            Markup("a", ["href": "#\(PageAnchor.of(panel.title))"], panel.title)
        }
        let sections = parts.map { panel, content in panel.markup(showing: content) }
        let main =
            [PageHead(run).markup, Markup("nav", ["aria-label": "Contents"], links)] + sections
            + [foot]
        let body = Markup(
            "body", [:],
            [
                Markup("main", [:], main), Markup("script", [:], [.verbatim(PageScript.source)]),
            ])
        let page = Markup("html", ["lang": "en"], [head, body])
        return "<!DOCTYPE html>\n" + page.source
    }

    private var head: Markup {
        let title = "\(run.summary.profile) · \(run.summary.verdictWords) · Squall"
        return Markup(
            "head", [:],
            [
                Markup("meta", ["charset": "utf-8"]),
                Markup(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                Markup("meta", ["name": "color-scheme", "content": "light dark"]),
                Markup("title", title),
                Markup("style", [:], [.verbatim(PageStyle.source)]),
            ])
    }

    private var foot: Markup {
        Markup(
            "footer", [:],
            [
                .text("No packet was sent: every request was answered inside one process. "),
                .text("Beside this page: "), link("summary.json"), .text(", "),
                link("timeseries.csv"), .text(", "), link("latency.hlog"), .text(", "),
                link("metrics.prom"), .text(", "), link("openmetrics.txt"), .text(", "),
                link("junit.xml"),
                .text(" and, with the machine and the real time, "), link("manifest.json"),
                .text("."),
            ])
    }

    private func link(_ file: String) -> Markup { Markup("a", ["href": file], file) }
}

extension OutputFormat {
    /// The run for people.
    static let page = OutputFormat("report.html") { output in
        let run = SavedRun(
            summary: output.summary, timeseries: output.table, latencies: output.latencies)
        return ReportPage(run).html
    }
}
