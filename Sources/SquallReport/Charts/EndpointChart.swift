/// The attempts at one endpoint per second, by outcome.
struct EndpointChart {
    let row: EndpointRow
    let run: SavedRun

    /// The chart; nil when nothing was recorded over time.
    var plot: Plot? {
        let logs = EndpointTag.Outcome.allCases.map { outcome in
            let tag = EndpointTag(
                population: row.population, endpoint: row.endpoint, outcome: outcome
            ).text
            return (outcome, run.latencies.intervals.filter { $0.tag == tag })
        }
        let all = logs.flatMap(\.1)
        // The first interval after a warm-up can be shorter, but never longer.
        guard let length = all.map(\.lengthNanoseconds).max(),
            let end = all.map(\.endNanoseconds).max()
        else { return nil }
        let columns = Int((end + length - 1) / length)
        let series = logs.map { outcome, intervals in
            TimeChart.Series(
                name: outcome.words, kind: outcome.kind, values: rates(intervals, length, columns))
        }
        let isNamed = run.summary.populations.count > 1
        return TimeChart(
            title: "\(row.endpoint)\(isNamed ? " · \(row.population)" : ""), per second",
            stack: series,
            starts: (0..<columns).map { Int64($0) * length },
            spanNanoseconds: length * Int64(columns), marks: run.marks
        ).plot
    }

    private func rates(
        _ intervals: [LatencyLog.Interval], _ length: Int64, _ columns: Int
    ) -> [Double] {
        var rates = [Double](repeating: 0, count: columns)
        for interval in intervals {
            let seconds = Double(interval.lengthNanoseconds) / 1e9
            rates[Int(interval.startNanoseconds / length)] +=
                Double(interval.histogram.count) / seconds
        }
        return rates
    }
}

extension EndpointTag.Outcome {
    fileprivate var words: String {
        switch self {
        case .ok: "ok"
        case .expired: "expired"
        case .failed: "failed"
        }
    }

    fileprivate var kind: String {
        switch self {
        case .ok: "first"
        case .expired: "retry"
        case .failed: "failed"
        }
    }
}
