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
        let journeys = run.summary.journeys
        let total = journeys.reduce(0) { $0 + $1.begun }
        guard total > 0 else { return [] }
        let table = DataTable(
            headings: ["population", "journey", "begun", "share", "", "asked"],
            rows: journeys.map { journey in
                let share = Double(journey.begun) / Double(total)
                return [
                    .text(journey.population), .text(journey.journey), .count(journey.begun),
                    .percent(share), .bar(share, "fill-first"), .percent(journey.askedShare),
                ]
            })
        return [table.markup(isSortable: true)]
    }

    private var steps: [Markup] {
        let steps = run.summary.steps
        guard !steps.isEmpty else { return [] }
        let table = DataTable(
            headings: [
                "population", "journey", "step", "ended", "failed", "nothing to do",
                "never ended", "p50", "p95", "p99", "p99.9", "max",
            ],
            rows: steps.map { step in
                let latency = step.latency
                return [
                    .text(step.population), .text(step.journey), .text(step.step),
                    .count(step.count), .count(step.failed), .count(step.idle), .count(step.hung),
                    .latency(latency.p50, of: latency), .latency(latency.p95, of: latency),
                    .latency(latency.p99, of: latency), .latency(latency.p999, of: latency),
                    .latency(latency.maximum, of: latency),
                ]
            })
        return [Markup("h3", "Steps"), table.markup(isSortable: true)]
    }
}
