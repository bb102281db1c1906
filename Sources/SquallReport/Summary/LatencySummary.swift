/// Statistics of a distribution of durations, in nanoseconds.
public struct LatencySummary: Codable, Equatable, Sendable {
    /// How many values there were.
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
        p50 = histogram.value(atPercentile: 50)
        p90 = histogram.value(atPercentile: 90)
        p95 = histogram.value(atPercentile: 95)
        p99 = histogram.value(atPercentile: 99)
        p999 = histogram.value(atPercentile: 99.9)
    }

    /// The statistics of a trend; all zero when there is none.
    public init(of value: MetricValue?) {
        self.init(value?.histogram ?? Histogram())
    }
}
