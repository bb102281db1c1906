import SquallFormat

extension Metrics {
    /// A counter's sum over the selected series; 0 without any.
    public func totalCount(of selection: MetricKey) -> Int64 {
        value(of: selection)?.count?.all ?? 0
    }

    func totalRatio(of selection: MetricKey) -> Ratio { value(of: selection)?.ratio ?? Ratio() }

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
        return Set(rows).ordered { $0.lexicographicallyPrecedes($1) }.map { values in
            let present = zip(wanted, values).filter { !$0.1.isEmpty }
            return Dictionary(uniqueKeysWithValues: present)
        }
    }
}
