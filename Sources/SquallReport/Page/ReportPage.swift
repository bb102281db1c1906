/// `report.html`: a run on one page that needs no network, no script and no wide screen.
///
/// Panels come in the order of a reader's questions: did it hold, can it be believed, what load was
/// it, what did people wait, and why. A new panel is one file and one line here.
public struct ReportPage {
    private var panels: [any Panel] {
        [
            ThresholdPanel(run), FindingPanel(run), AuditPanel(run), SelfCheckPanel(run),
            PopulationPanel(run), LoadPanel(run), LatencyPanel(run), RefreshPanel(run),
            RetryPanel(run), PaginationPanel(run), ServerPanel(run), EndpointPanel(run),
            JourneyPanel(run), AssumptionPanel(run),
        ]
    }

    private let run: SavedRun

    /// The page of a run.
    public init(_ run: SavedRun) {
        self.run = run
    }

    /// The whole document, which is well-formed XML too.
    public var html: String {
        let body = Markup(
            "body", [:],
            [
                Markup("main", [:], [PageHead(run).markup] + panels.map(\.markup) + [foot]),
                Markup("script", [:], [.verbatim(PageScript.source)]),
            ])
        let page = Markup("html", ["lang": "en"], [head, body])
        return "<!DOCTYPE html>\n" + page.source
    }

    private var head: Markup {
        let title = "\(run.summary.profile) · \(run.summary.verdict.rawValue) · Squall"
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
                link("metrics.prom"), .text(", "), link("junit.xml"),
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
            summary: output.summary, timeseries: TimeTable(output.timeseries),
            latencies: output.latencies)
        return ReportPage(run).html
    }
}
