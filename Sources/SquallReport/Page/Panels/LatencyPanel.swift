import SquallFormat

/// What people waited, beside what each attempt took on the wire.
struct LatencyPanel: Panel {
    private let run: SavedRun

    init(_ run: SavedRun) { self.run = run }

    let title = "Latency"
    let note =
        "A step is what a user waits for: its calls, their retries and the refreshes they wait for."
        + " An attempt is one exchange on the wire. The distance between the lines is what the"
        + " client adds."
    let absence = "No step and no attempt ended, so there is no latency to show."

    var content: [Markup] {
        let tags = [
            (Metric.stepDuration, "step, as its user waits", "goodput"),
            (Metric.requestDuration, "attempt on the wire", "wire"),
        ]
        let series = tags.map { metric, name, kind in
            SpectrumChart.Series(
                name: name, kind: kind, histogram: run.latencies.total(of: metric.name))
        }.filter { $0.histogram.count > 0 }
        guard !series.isEmpty else { return [] }
        let spectrum = SpectrumChart(title: "Latency by percentile", series: series)
        let lines = tags.compactMap { metric, name, _ in
            percentiles("Percentiles over time: \(name)", of: metric)
        }
        let maps = tags.compactMap { metric, name, _ in
            heatMap("How many of each length over time: \(name)", of: metric)
        }
        return lines + [spectrum.plot.markup] + maps
    }

    private func percentiles(_ title: String, of metric: Metric) -> Markup? {
        let intervals = run.latencies.intervals.filter { $0.tag == metric.name }
        guard !intervals.isEmpty else { return nil }
        return PercentileChart(
            title: title, intervals: intervals,
            spanNanoseconds: run.timeseries.spanNanoseconds(rowsAtMost: TimeChart.rowsAtMost),
            marks: run.marks
        ).plot.markup
    }

    private func heatMap(_ title: String, of metric: Metric) -> Markup? {
        let intervals = run.latencies.intervals.filter { $0.tag == metric.name }
        guard !intervals.isEmpty else { return nil }
        return HeatMap(title: title, intervals: intervals, marks: run.marks).plot.markup
    }
}
