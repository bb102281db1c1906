extension SavedRun {
    /// The attempts at one endpoint per second, by outcome; nil when nothing was recorded over
    /// time.
    func chart(of row: EndpointRow) -> TimeChart? {
        let logs = EndpointTag.Outcome.allCases.map { outcome in
            let tag = EndpointTag(
                population: row.population, endpoint: row.endpoint, outcome: outcome
            ).text
            return (outcome, latencies.intervals.filter { $0.tag == tag })
        }
        let all = logs.flatMap(\.1)
        // The first interval after a warm-up can be shorter, but never longer.
        guard let length = all.map(\.lengthNanoseconds).max(),
            let end = all.map(\.endNanoseconds).max()
        else { return nil }
        let columns = Int((end + length - 1) / length)
        let series = logs.map { outcome, intervals in
            TimeChart.Series(
                name: outcome.rawValue, kind: outcome.kind,
                values: rates(intervals, length, columns))
        }
        let isNamed = summary.populations.count > 1
        return TimeChart(
            title: "\(row.endpoint)\(isNamed ? " · \(row.population)" : ""), per second",
            stack: series,
            starts: (0..<columns).map { Int64($0) * length },
            spanNanoseconds: length * Int64(columns), marks: summary.faults)
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
    fileprivate var kind: String {
        switch self {
        case .ok: "first"
        case .expired: "retry"
        case .failed: "failed"
        }
    }
}
