public import SquallFormat

/// One series of a metric, or its total, as the results write it.
public struct MetricSummary: Sendable {
    /// The metric's name.
    public let name: String
    /// How its values are combined.
    public let kind: Metric.Kind
    /// The tags of the series; empty for the total.
    public let tags: [TagKey: String]
    /// The values.
    public let values: Values

    /// The values of a series, by the kind of its metric.
    public enum Values: Sendable {
        case counter(Count)
        case quotient(Quotient)
        case trend(LatencySummary)
        /// Nil when the level was never set.
        case gauge(Level?)
    }

    /// A counter's value.
    public struct Count: Codable, Sendable {
        /// The sum, the drain included.
        public let count: Int64
        /// The part of the sum before the drain; nil in summaries that did not write it.
        let underLoad: Int64?
        /// The part before the drain per second of the measured load; nil without any time.
        @OrNull public private(set) var rate: Double?

        init(_ count: EventCount, overNanoseconds span: Int64) {
            self.count = count.all
            underLoad = count.underLoad
            rate = count.rate(overNanoseconds: span)
        }
    }

    /// The value of a rate or a ratio.
    public struct Quotient: Codable, Sendable {
        /// The numerator.
        public let part: Int64
        /// The denominator.
        let whole: Int64
        /// The quotient; nil when the denominator is 0.
        @OrNull public private(set) var value: Double?

        init(_ ratio: Ratio) {
            part = ratio.part
            whole = ratio.whole
            value = ratio.quotient
        }
    }

    /// A gauge's value.
    public struct Level: Codable, Sendable {
        /// The last level.
        public let value: Int64
        /// The lowest level.
        public let minimum: Int64
        /// The highest level.
        public let maximum: Int64

        private enum CodingKeys: String, CodingKey {
            case value
            case minimum = "min"
            case maximum = "max"
        }

        init?(_ gauge: Gauge) {
            guard let level = gauge.level else { return nil }
            value = level
            minimum = gauge.lowest
            maximum = gauge.highest
        }
    }

    /// The values of a series over a span of the load, as results show them.
    public init(_ key: MetricKey, _ value: MetricValue, overNanoseconds span: Int64) {
        name = key.metric.name
        kind = key.metric.kind
        tags = Dictionary(uniqueKeysWithValues: key.tags.map { ($0.key, $0.value) })
        switch value {
        case .counter(let count): values = .counter(Count(count, overNanoseconds: span))
        case .rate(let ratio), .ratio(let ratio): values = .quotient(Quotient(ratio))
        case .trend(let histogram): values = .trend(LatencySummary(histogram))
        case .gauge(let gauge): values = .gauge(Level(gauge))
        }
    }

    /// A counter's sum, or the number of values of a trend; nil for other kinds.
    public var count: Int64? {
        switch values {
        case .counter(let count): count.count
        case .trend(let latency): latency.count
        case .quotient, .gauge: nil
        }
    }

    /// A counter's rate per second; nil for other kinds.
    var rate: Double? {
        if case .counter(let count) = values { count.rate } else { nil }
    }

    /// The value of a rate or a ratio.
    public var quotient: Quotient? {
        if case .quotient(let quotient) = values { quotient } else { nil }
    }

    /// The levels of a gauge that was set.
    var level: Level? {
        if case .gauge(let level) = values { level } else { nil }
    }

    /// The distribution of a trend.
    public var latency: LatencySummary? {
        if case .trend(let latency) = values { latency } else { nil }
    }
}

extension MetricSummary: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, unit, tags, values
        case kind = "type"
    }

    private enum NoKeys: CodingKey {}

    /// Reads a series, whose kind decides which values it has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        kind = try container.decode(Metric.Kind.self, forKey: .kind)
        // The kind decides it.
        _ = try container.decode(String.self, forKey: .unit)
        tags = try container.decode([TagKey: String].self, forKey: .tags)
        switch kind {
        case .counter: values = .counter(try container.decode(Count.self, forKey: .values))
        case .rate, .ratio:
            values = .quotient(try container.decode(Quotient.self, forKey: .values))
        case .trend:
            values = .trend(try container.decode(LatencySummary.self, forKey: .values))
        case .gauge:
            let members = try container.decode([String: Int64].self, forKey: .values)
            values = .gauge(
                members.isEmpty ? nil : try container.decode(Level.self, forKey: .values))
        }
    }

    /// Writes the series with the values of its kind.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(kind, forKey: .kind)
        try container.encode(kind.unit, forKey: .unit)
        try container.encode(tags, forKey: .tags)
        switch values {
        case .counter(let count): try container.encode(count, forKey: .values)
        case .quotient(let quotient): try container.encode(quotient, forKey: .values)
        case .trend(let latency): try container.encode(latency, forKey: .values)
        case .gauge(let level?): try container.encode(level, forKey: .values)
        case .gauge(nil): _ = container.nestedContainer(keyedBy: NoKeys.self, forKey: .values)
        }
    }
}

/// Statistics of a distribution of durations, in nanoseconds.
public struct LatencySummary: Codable, Equatable, Sendable {
    /// The number of values.
    public let count: Int64
    /// The smallest value.
    public let minimum: Int64
    /// The largest value.
    public let maximum: Int64
    /// The mean, rounded to whole nanoseconds.
    public let mean: Int64
    /// The standard deviation, rounded to whole nanoseconds.
    let deviation: Int64
    /// The value that half of all values do not exceed.
    public let p50: Int64
    /// The value that 90 % of all values do not exceed.
    public let p90: Int64
    /// The value that 95 % of all values do not exceed.
    public let p95: Int64
    /// The value that 99 % of all values do not exceed.
    public let p99: Int64
    /// The value that 99.9 % of all values do not exceed.
    public let p999: Int64

    private enum CodingKeys: String, CodingKey {
        case count, mean, p50, p90, p95, p99
        case minimum = "min"
        case maximum = "max"
        case deviation = "standardDeviation"
        case p999 = "p99_9"
    }

    /// The statistics of a histogram; all zero when it is empty.
    public init(_ histogram: Histogram) {
        count = histogram.count
        minimum = histogram.minimum
        maximum = histogram.maximum
        mean = Int64(histogram.mean.rounded())
        deviation = Int64(histogram.standardDeviation.rounded())
        let values = histogram.values(atPercentiles: [50, 90, 95, 99, 99.9])
        (p50, p90, p95, p99, p999) = (values[0], values[1], values[2], values[3], values[4])
    }

    /// The statistics of a trend; all zero when there is none.
    public init(of value: MetricValue?) {
        self.init(value?.histogram ?? Histogram())
    }
}
