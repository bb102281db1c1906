/// What was asked of the server over time, and what came of it.
struct LoadPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Load"
    let note =
        "Attempts sent, stacked by their cause, and in front of them what was answered and what was"
        + " of use: calls of the app that succeeded. Where the stack rises above the useful line,"
        + " work is wasted."
    let absence = "The run was too short for a chart over time."

    var content: [Markup] {
        let requests = run.chart(
            "Attempts per second",
            stack: [
                ChartColumn("sent_first", label: "first tries", kind: "first"),
                ChartColumn("sent_retry", label: "retries", kind: "retry"),
                ChartColumn("sent_refresh", label: "refreshes", kind: "refresh"),
            ],
            lines: [
                ChartColumn(
                    "answers_2xx", "answers_419", "answers_other", label: "answered",
                    kind: "answered"),
                ChartColumn("goodput", label: "of use", kind: "goodput"),
            ])
        let steps = run.chart(
            "Steps per second",
            stack: [
                ChartColumn("steps_hung", label: "never ended", kind: "refresh"),
                ChartColumn("steps_failed", label: "failed", kind: "retry"),
            ],
            lines: [ChartColumn("steps_ended", label: "ended", kind: "goodput")])
        return [requests, steps].compactMap { $0?.plot.markup }
    }
}
