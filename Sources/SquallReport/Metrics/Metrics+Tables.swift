extension Metrics {
    func totalCount(of selection: MetricKey) -> Int64 {
        if case .counter(let count) = value(of: selection) { count.all } else { 0 }
    }

    func count(ofSeries key: MetricKey) -> Int64 {
        if case .counter(let count) = value(ofSeries: key) { count.all } else { 0 }
    }

    func totalRatio(of selection: MetricKey) -> Ratio {
        switch value(of: selection) {
        case .rate(let ratio), .ratio(let ratio): ratio
        default: Ratio()
        }
    }

    func totalTrend(of selection: MetricKey) -> Histogram {
        if case .trend(let histogram) = value(of: selection) { histogram } else { Histogram() }
    }

    func stepTags(among metrics: [Metric]) -> [[TagKey: String]] {
        tagSets(of: Metric.ofUser + [.journey, .step], among: metrics)
            .filter { $0[.step] != nil }
    }

    /// The distinct values of some tags among the series of some metrics, sorted.
    func tagSets(
        of wanted: [TagKey], among metrics: [Metric]
    ) -> [[TagKey: String]] {
        let rows = unorderedKeys.filter { metrics.contains($0.metric) }.map { key in
            wanted.map { key[$0] ?? "" }
        }
        return Set(rows).sorted { $0.lexicographicallyPrecedes($1) }.map { values in
            let present = zip(wanted, values).filter { !$0.1.isEmpty }
            return Dictionary(uniqueKeysWithValues: present)
        }
    }
}
