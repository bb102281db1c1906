import SquallDocument
import SquallFormat

/// `report.html`: a run on one page that needs no network, no script and no wide screen.
///
/// It shows the parts of a ``RunDocument`` with their charts.
public struct ReportPage {
    private let run: SavedRun

    /// The page of a run.
    public init(_ run: SavedRun) {
        self.run = run
    }

    /// The whole document, which is also well-formed XML.
    public var html: String {
        let parts = RunDocument(run.summary, run).sections
        return Page(
            "\(run.summary.profile) · \(run.summary.verdictWords)",
            [PageHead(run).markup, Page.contents(parts)] + parts.compactMap(\.markup) + [foot]
        ).html
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
    /// The page of a run.
    static let page = OutputFormat("report.html") { output in
        let run = SavedRun(
            summary: output.summary, timeseries: output.table, latencies: output.latencies)
        return ReportPage(run).html
    }
}
