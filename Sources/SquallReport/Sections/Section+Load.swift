import SquallFormat

extension Section {
    static func load(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        // A closed load plans no beginnings, so nothing in it can be late.
        let isPlanned = summary.load.contains { $0.delayNanoseconds.count > 0 }
        let rows = summary.load.map { row in
            let visits = row.visits
            return [
                Column.population(row.population),
                Column.offered(visits.offered + visits.waitingBefore),
                Column.refused(visits.refused), Column.waiting(visits.waiting),
                Column.begun(visits.begun), Column.underWayBefore(visits.underWayBefore),
                Column.ended(visits.ended), Column.visitsAbandoned(visits.abandoned),
                Column.underWay(visits.underWay),
            ]
                + (isPlanned
                    ? [
                        Column.late95(row.delayNanoseconds.p95, of: row.delayNanoseconds),
                        Column.late(row.delayNanoseconds.maximum, of: row.delayNanoseconds),
                    ] : [])
        }
        return Section(
            "Load",
            note:
                "The chart stacks attempts by cause; lines show responses and"
                + " useful attempts: calls of the app that succeeded. Where the stack rises above"
                + " the useful line, work is wasted.",
            absence: "The run was too short for a chart over time.",
            [
                .table(Table("Load, in visits of users", rows).inBrief),
                .sentence(rows.isEmpty ? "" : balance),
            ],
            of: run, charts: loadCharts)
    }

    private static let balance =
        "Offered = refused + waiting + begun; begun + under way at start = ended + abandoned"
        + " + under way."

    private static func loadCharts(_ run: SavedRun) -> [Markup] {
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
                ChartColumn(.goodput, label: "useful", kind: "goodput"),
            ])
        let steps = run.chart(
            "Steps per second",
            stack: [
                ChartColumn(.stepsHung, label: "never ended", kind: "refresh"),
                ChartColumn(.stepsFailed, label: "failed", kind: "retry"),
            ],
            lines: [ChartColumn(.stepsEnded, label: "ended", kind: "goodput")])
        return [requests, steps].compactMap { $0?.plot.markup }
    }

    static func journeys(_ summary: RunSummary) -> Section {
        let total = summary.journeys.reduce(0) { $0 + $1.begun }
        let mix = summary.journeys.map { journey in
            let share = Ratio(part: journey.begun, whole: total).quotient
            return [
                Column.population(journey.population), Column.journey(journey.journey),
                Column.journeysBegun(journey.begun), Column.journeyShare(share),
                Column.bar(bar: share ?? 0, "fill-first"), Column.targetShare(journey.targetShare),
            ]
        }
        let steps = summary.steps.map { row in
            [
                Column.population(row.population), Column.journey(row.journey),
                Column.step(row.step), Column.stepsEnded(row.count),
                Column.stepsFailed(row.failed), Column.stepsIdle(row.idle),
                Column.stepsHung(row.hung),
            ] + row.durationNanoseconds.cells
        }
        return Section(
            "Journeys",
            note: "Journeys by share, and the share by the weights in the profile.",
            absence: "No journey began.",
            [
                .table(Table(names: 2, total > 0 ? mix : [])),
                .table(Table("Steps", names: 3, steps)), .table(payments(summary)),
            ])
    }

    /// The results of visits to the payment page, for populations with such visits.
    private static func payments(_ summary: RunSummary) -> Table {
        var counts: [String: [String: Int64]] = [:]
        for series in summary.series(of: .payments) {
            guard let app = series.tags[.population], let status = series.tags[.status],
                let count = series.count, count > 0
            else { continue }
            counts[app, default: [:]][status] = count
        }
        return Table(
            "Payments",
            counts.keys.sorted().map { app in
                let count = { (end: String) in counts[app]?[end] ?? 0 }
                return [
                    Column.population(app), Column.booked(count("booked")),
                    Column.unbooked(count("unbooked")), Column.cancelled(count("cancelled")),
                    Column.declined(count("refused")),
                ]
            }
        ).inBrief
    }

    static func latency(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        Section(
            "Latency",
            note: "A step is what a user waits for: calls, retries and refreshes. An attempt is one"
                + " HTTP exchange. The difference is the time that the client adds.",
            absence: "No step and no attempt ended, so there is no latency to show.", [],
            of: run, charts: \.latencyCharts)
    }
}

extension SavedRun {
    fileprivate var latencyCharts: [Markup] {
        let tags = [
            (Metric.stepDuration, "step", "goodput"),
            (Metric.requestDuration, "attempt", "wire"),
        ]
        let series = tags.map { metric, name, kind in
            SpectrumChart.Series(
                name: name, kind: kind, histogram: latencies.total(of: metric.name))
        }.filter { $0.histogram.count > 0 }
        guard !series.isEmpty else { return [] }
        let spectrum = SpectrumChart(title: "Latency by percentile", series: series)
        let all = tags.map { metric, name, _ in
            (name, latencies.intervals.filter { $0.tag == metric.name })
        }.filter { !$0.1.isEmpty }
        let lines = all.map { name, intervals in
            PercentileChart(
                title: "Percentiles over time: \(name)", intervals: intervals,
                spanNanoseconds: timeseries.spanNanoseconds(rowsAtMost: TimeChart.rowsAtMost),
                marks: summary.faults
            ).plot.markup
        }
        let maps = all.compactMap { name, intervals in
            HeatMap(
                title: "Latency heatmap: \(name)", intervals: intervals,
                marks: summary.faults
            ).plot.markup
        }
        return lines + [spectrum.plot.markup] + maps
    }
}
