import SquallFormat

/// The first figures of a run: throughput, errors and times, in all and by endpoint.
extension Section {
    /// How many endpoints a first screen lists of each kind.
    private static let endpointsListed = 5

    static func overview(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        let called = summary.endpoints.filter { $0.responses.ended > 0 }
        let busiest = called.ordered { $0.responses.ended > $1.responses.ended }
        let slowest = called.ordered {
            $0.durationNanoseconds.p95 > $1.durationNanoseconds.p95
        }
        let isShort = called.count <= endpointsListed
        func table(_ title: String, _ rows: [EndpointRow]) -> Block {
            .table(
                Table(title, rows.prefix(endpointsListed).map { endpoint($0, in: summary) }).inBrief
            )
        }
        return Section(
            "Overview",
            note: "Requests are attempts, retries and refreshes included; steps are what users wait"
                + " for. Errors are failed attempts, except expired responses that a retry"
                + " repaired, and failed steps.",
            absence: "No request was sent.",
            [
                .table(Table(totals(summary)).inBrief),
                table(isShort ? "Endpoints" : "Busiest endpoints", busiest),
                table("Slowest endpoints", isShort ? [] : slowest),
            ], of: run, charts: \.overview)
    }

    private static func totals(_ summary: RunSummary) -> [[Cell]] {
        [
            ("requests", Metric.requests, Metric.requestDuration, Metric.requestFailed),
            ("steps", .steps, .stepDuration, .stepFailed),
        ].compactMap { name, counted, duration, failed -> [Cell]? in
            guard case .counter(let count)? = summary.total(of: counted)?.values, count.count > 0
            else { return nil }
            let latency = summary.total(of: duration)?.latency
            return [
                Column.counted(name), Column.number(count.count), Column.perSecond(count.rate),
                Column.errorShare(summary.total(of: failed)?.quotient?.value),
            ] + first(latency)
        }
    }

    private static func endpoint(_ row: EndpointRow, in summary: RunSummary) -> [Cell] {
        let isNamed = summary.populations.count > 1
        let errors = Ratio(part: row.responses.failed, whole: row.responses.ended).quotient
        return [
            Column.endpoint(row.endpoint + (isNamed ? " · \(row.population)" : "")),
            Column.number(row.responses.ended), Column.errorShare(errors),
        ] + first(row.durationNanoseconds)
    }

    private static func first(_ latency: LatencySummary?) -> [Cell] {
        Percentile.first.map { percentile in
            guard let latency else { return percentile.column.none }
            return percentile.column(percentile(latency), of: latency)
        }
    }
}

extension SavedRun {
    /// Load, errors and times of steps, one above the other over one axis of time.
    fileprivate var overview: [Markup] {
        let load = chart(
            "Load: requests per second",
            stack: [ChartColumn(.requests, label: "requests", kind: "first")],
            lines: [ChartColumn(.goodput, label: "useful", kind: "goodput")])
        let errors = chart(
            "Errors per second",
            stack: [
                ChartColumn(.lost, label: "no response", kind: "failed"),
                ChartColumn(.failed, label: "error status", kind: "refresh"),
                ChartColumn(.expired, label: "token expired", kind: "retry"),
            ])
        let steps = latencies.intervals.filter { $0.tag == Metric.stepDuration.name }
        let times =
            steps.isEmpty
            ? nil
            : PercentileChart(
                title: "Step duration", intervals: steps,
                spanNanoseconds: timeseries.spanNanoseconds(rowsAtMost: TimeChart.rowsAtMost),
                marks: summary.faults)
        let panels = [load?.plot.markup, errors?.plot.markup, times?.plot.markup].compactMap(\.self)
        return panels.isEmpty ? [] : [Markup("div", ["class": "panels"], panels)]
    }
}
