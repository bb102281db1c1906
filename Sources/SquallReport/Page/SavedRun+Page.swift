import SquallFormat

extension SavedRun {
    /// `report.html`: the run's sections with their charts, on one page that needs no network, no
    /// script and no wide screen; also well-formed XML.
    public var html: String {
        let sections = summary.sections(self)
        return Page(
            "\(summary.profile) · \(summary.shownVerdict.words)",
            [head, Page.contents(sections)] + sections.compactMap(\.markup) + [foot]
        ).html
    }

    private var foot: Markup {
        Markup(
            "footer", [:],
            [
                .text(summary.answeredBy("one process") + " "),
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
    /// The page of a run.
    static let page = OutputFormat("report.html") { output in
        SavedRun(
            summary: output.summary, timeseries: output.table, latencies: output.latencies
        ).html
    }
}
