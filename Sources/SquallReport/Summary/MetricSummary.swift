public import SquallFormat

/// One series of a metric, or its total, as the results show it.
public struct MetricSummary: Hashable, Sendable {
    /// The metric's name.
    public let name: String
    /// How its values add up.
    public let kind: Metric.Kind
    /// What its values are counted in.
    public let unit: Metric.Unit
    /// Which series; none of them is the total of all.
    public let tags: [TagKey: String]
    /// What it came to.
    public let values: Values

    /// What a series came to, by the kind of its metric.
    public enum Values: Hashable, Sendable {
        case counter(Count)
        case quotient(Quotient)
        case trend(LatencySummary)
        /// Nil when the level was never set.
        case gauge(Level?)
    }

    /// A counter's value.
    public struct Count: Codable, Hashable, Sendable {
        /// The sum, the drain included.
        public let count: Int64
        /// How many each second of what is measured of the load; nil without any time.
        @OrNull public private(set) var rate: Double?

        init(_ count: EventCount, overNanoseconds span: Int64) {
            self.count = count.all
            rate = count.rate(overNanoseconds: span)
        }
    }

    /// The value of a rate or a ratio.
    public struct Quotient: Codable, Hashable, Sendable {
        /// What is divided.
        public let part: Int64
        /// What it is divided by.
        public let whole: Int64
        /// The quotient; nil when there was nothing to divide by.
        @OrNull public private(set) var value: Double?

        init(_ ratio: Ratio) {
            part = ratio.part
            whole = ratio.whole
            value = ratio.quotient
        }
    }

    /// A gauge's value.
    public struct Level: Codable, Hashable, Sendable {
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

    /// What a series came to in a span of the load, as results show it.
    public init(_ key: MetricKey, _ value: MetricValue, overNanoseconds span: Int64) {
        name = key.metric.name
        kind = key.metric.kind
        unit = key.metric.unit
        tags = Dictionary(uniqueKeysWithValues: key.tags.map { ($0.key, $0.value) })
        switch value {
        case .counter(let count): values = .counter(Count(count, overNanoseconds: span))
        case .rate(let ratio), .ratio(let ratio): values = .quotient(Quotient(ratio))
        case .trend(let histogram): values = .trend(LatencySummary(histogram))
        case .gauge(let gauge): values = .gauge(Level(gauge))
        }
    }

    /// Every metric that was touched: its total first, then its series that hold anything.
    static func all(of metrics: Metrics, overNanoseconds span: Int64) -> [MetricSummary] {
        metrics.entries.map { MetricSummary($0.key, $0.value, overNanoseconds: span) }
    }

    /// A counter's sum, or how many values a trend has; nil for other kinds.
    public var count: Int64? {
        switch values {
        case .counter(let count): count.count
        case .trend(let latency): latency.count
        case .quotient, .gauge: nil
        }
    }

    /// How many each second a counter counted; nil for other kinds.
    public var rate: Double? {
        if case .counter(let count) = values { count.rate } else { nil }
    }

    /// The value of a rate or a ratio.
    public var quotient: Quotient? {
        if case .quotient(let quotient) = values { quotient } else { nil }
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
        unit = try container.decode(Metric.Unit.self, forKey: .unit)
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
        try container.encode(unit, forKey: .unit)
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
