import SquallFormat

/// One series of a metric, or its total, as the results show it.
public struct MetricSummary: Hashable, Sendable {
    /// Which series; without tags it is the total of all.
    public let key: MetricKey
    /// What it came to.
    public let value: MetricValue

    /// Every metric that was touched: its total first, then its series that hold anything.
    static func all(of metrics: Metrics) -> [MetricSummary] {
        let series = metrics.keys
        let totals = Set(series.map(\.metric)).map { MetricKey($0) }
        return Set(series + totals).sorted().compactMap { key in
            // A total selects every series; a series selects itself alone.
            let value = key.tags.isEmpty ? metrics.value(of: key) : metrics.value(ofSeries: key)
            guard let value, key.tags.isEmpty || !value.isEmpty else { return nil }
            return MetricSummary(key: key, value: value)
        }
    }

    var json: JSON {
        let tags = key.tags.map { ($0.key.rawValue, JSON.string($0.value)) }
        return .object([
            "name": .string(key.metric.name),
            "type": .string(key.metric.kind.rawValue),
            "unit": .string(key.metric.definition.unit.rawValue),
            "tags": .object(Dictionary(uniqueKeysWithValues: tags)),
            "values": .object(members),
        ])
    }

    private var members: [String: JSON] {
        switch value {
        case .counter(let count): ["count": .integer(count)]
        case .rate(let ratio), .ratio(let ratio):
            [
                "part": .integer(ratio.part), "whole": .integer(ratio.whole),
                "value": .optional(ratio.quotient, JSON.number),
            ]
        case .trend(let histogram): LatencySummary(histogram).members
        case .gauge(let gauge):
            gauge.level.map {
                [
                    "value": .integer($0), "min": .integer(gauge.lowest),
                    "max": .integer(gauge.highest),
                ]
            } ?? [:]
        }
    }
}
