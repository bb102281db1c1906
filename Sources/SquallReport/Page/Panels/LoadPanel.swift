import SquallFormat

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
                ChartColumn(.firstAttempts, label: "first attempts", kind: "first"),
                ChartColumn(.retries, label: "retries", kind: "retry"),
                ChartColumn(.refreshes, label: "refreshes", kind: "refresh"),
            ],
            lines: [
                ChartColumn(
                    .succeeded, .expired, .failed, label: "answered", kind: "answered"),
                ChartColumn(.goodput, label: "of use", kind: "goodput"),
            ])
        let steps = run.chart(
            "Steps per second",
            stack: [
                ChartColumn(.stepsHung, label: "never ended", kind: "refresh"),
                ChartColumn(.stepsFailed, label: "failed", kind: "retry"),
            ],
            lines: [ChartColumn(.stepsEnded, label: "ended", kind: "goodput")])
        return [requests, steps].compactMap { $0?.plot.markup } + visits
    }

    private var visits: [Markup] {
        let rows = run.summary.load
        guard !rows.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "offered", "begun", "refused", "waiting", "ended", "given up",
                "under way", "late p95", "late max",
            ],
            rows: rows.map { row in
                let visits = row.visits
                return [
                    .text(row.population), .count(visits.offered + visits.waitingBefore),
                    .count(visits.begun), .count(visits.refused), .count(visits.waiting),
                    .count(visits.ended), .count(visits.givenUp), .count(visits.underWay),
                    .latency(row.delay.p95, of: row.delay),
                    .latency(row.delay.maximum, of: row.delay),
                ]
            })
        return [Markup("h3", "Visits: what was offered and what became of it"), table.markup()]
    }
}
