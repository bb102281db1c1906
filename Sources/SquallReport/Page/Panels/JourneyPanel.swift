import SquallFormat

/// What people really did: the mix of journeys, and how each step went.
struct JourneyPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Journeys"
    let note = "Journeys as they ran, beside the share that the profile's weights ask for."
    let absence = "Nobody began a journey."

    var content: [Markup] {
        mix + steps
    }

    private var mix: [Markup] {
        let journeys = run.summary["journeys"].elements
        let total = journeys.reduce(0) { $0 + $1["begun"].integer }
        guard total > 0 else { return [] }
        let table = DataTable(
            headings: ["app", "journey", "begun", "share", "", "asked"],
            rows: journeys.map { journey in
                let share = Double(journey["begun"].integer) / Double(total)
                return [
                    .text(journey["app"].text), .text(journey["journey"].text),
                    .count(journey["begun"].integer), .percent(share), .bar(share, "fill-first"),
                    .percent(journey["askedShare"].number),
                ]
            })
        return [table.markup(isSortable: true)]
    }

    private var steps: [Markup] {
        let steps = run.summary["steps"].elements
        guard !steps.isEmpty else { return [] }
        let latencies = ["p50", "p95", "p99", "p99_9", "max"]
        let table = DataTable(
            headings: ["app", "journey", "step", "ended", "failed", "never ended"]
                + latencies.map { $0 == "p99_9" ? "p99.9" : $0 },
            rows: steps.map { step in
                [
                    .text(step["app"].text), .text(step["journey"].text),
                    .text(step["step"].text), .count(step["count"].integer),
                    .count(step["failed"].integer), .count(step["hung"].integer),
                ] + latencies.map { .duration(step["durationNs"][$0].integer) }
            })
        return [Markup("h3", "Steps"), table.markup(isSortable: true)]
    }
}
