/// A run's metrics as a file keeps them, so that several runs can be added up exactly.
public struct MetricsRecord: Codable, Sendable {
    fileprivate let series: [Series]

    /// One series; what its numbers are depends on the metric's kind.
    fileprivate struct Series: Codable, Sendable {
        let metric: String
        let tags: [TagKey: String]
        let numbers: [Int64]
    }

    /// The record of a run's metrics.
    public init(_ metrics: Metrics) {
        series = metrics.keys.compactMap { key in
            metrics.value(ofSeries: key).map { value in
                Series(
                    metric: key.metric.name,
                    tags: Dictionary(uniqueKeysWithValues: key.tags.map { ($0.key, $0.value) }),
                    numbers: value.numbers)
            }
        }
    }
}

extension Metrics {
    /// The sum of the metrics of runs that went on at the same time; of a gauge's levels, too.
    ///
    /// - Returns: `nil` where a record has a metric that the catalogue lacks, or other numbers than
    ///   its kind has.
    public init?(adding records: [MetricsRecord], among catalogue: MetricCatalogue) {
        self.init()
        endLoad()
        var gauges: [MetricKey: [Int64]] = [:]
        for series in records.flatMap(\.series) {
            guard let metric = catalogue.metric(named: series.metric),
                Set(series.tags.keys).isSubset(of: metric.tagKeys)
            else { return nil }
            let (key, numbers) = (MetricKey(metric, series.tags), series.numbers)
            switch metric.kind {
            case .counter:
                guard numbers.count == 2 else { return nil }
                let slot = counter(key)
                add(numbers[1], ofLoadTo: slot)
                add(numbers[0] - numbers[1], to: slot)
            case .rate, .ratio:
                guard numbers.count == 2 else { return nil }
                add(numbers[0], of: numbers[1], to: ratio(key))
            case .trend:
                guard let histogram = Histogram(numbers: numbers) else { return nil }
                record(histogram, in: trend(key))
            case .gauge:
                guard numbers.count == 3 else { return nil }
                gauges[key] = zip(gauges[key] ?? [0, 0, 0], numbers).map(+)
            }
        }
        for (key, levels) in gauges {
            let slot = gauge(key.metric)
            for level in levels { set(level, in: slot) }
        }
    }
}

extension MetricValue {
    fileprivate var numbers: [Int64] {
        switch self {
        case .counter(let count): [count.all, count.underLoad]
        case .rate(let ratio), .ratio(let ratio): [ratio.part, ratio.whole]
        case .trend(let histogram): histogram.numbers
        case .gauge(let gauge):
            gauge.level.map { [gauge.lowest, gauge.highest, $0] } ?? [0, 0, 0]
        }
    }
}
