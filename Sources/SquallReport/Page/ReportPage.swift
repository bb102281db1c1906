import SquallFormat

/// `report.html`: a run on one page that needs no network, no script and no wide screen.
///
/// It shows the parts of a ``RunDocument``, with the charts that they have.
public struct ReportPage {
    private let run: SavedRun

    /// The page of a run.
    public init(_ run: SavedRun) {
        self.run = run
    }

    /// The whole document, which is well-formed XML too.
    public var html: String {
        let parts = RunDocument(run.summary).sections
        let links = parts.filter { $0.isShown(of: run) }.map { part in
            Markup("a", ["href": "#\(PageAnchor.of(part.title))"], part.title)
        }
        let main =
            [PageHead(run).markup, Markup("nav", ["aria-label": "Contents"], links)]
            + parts.map { $0.markup(of: run) } + [foot]
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
