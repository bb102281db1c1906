/// The value of a metric.
public enum MetricValue: Equatable, Sendable {
    case counter(EventCount)
    case rate(Ratio)
    case ratio(Ratio)
    case trend(Histogram)
    case gauge(Gauge)
}

extension MetricValue {
    /// A counter's events; nil for other kinds.
    public var count: EventCount? { if case .counter(let count) = self { count } else { nil } }

    /// The sums of a rate or a ratio; nil for other kinds.
    var ratio: Ratio? {
        switch self {
        case .rate(let ratio), .ratio(let ratio): ratio
        case .counter, .trend, .gauge: nil
        }
    }

    /// The distribution of a trend; nil for other kinds.
    var histogram: Histogram? {
        if case .trend(let histogram) = self { histogram } else { nil }
    }

    /// A gauge's level; nil for other kinds.
    var gauge: Gauge? { if case .gauge(let gauge) = self { gauge } else { nil } }

    /// The increase since an earlier value of the same metric; a gauge stays as it is.
    ///
    /// - Precondition: the earlier value is of the same kind and, but for failures that were taken
    ///   back since, not larger.
    public func since(_ earlier: MetricValue?) -> MetricValue {
        switch (self, earlier) {
        case (.counter(let now), .counter(let before)?): .counter(now.since(before))
        case (.rate(let now), .rate(let before)?): .rate(now.since(before))
        case (.ratio(let now), .ratio(let before)?): .ratio(now.since(before))
        case (.trend(let now), .trend(let before)?): .trend(now.since(before))
        default: self
        }
    }
}

/// A count of events.
public struct EventCount: Equatable, Sendable {
    /// In all of the measured time, the drain included.
    public var all: Int64
    /// While the load lasted; rates are computed from this.
    var underLoad: Int64

    /// A count, and the part of it while the load lasted.
    public init(all: Int64, underLoad: Int64) {
        self.all = all
        self.underLoad = underLoad
    }

    /// The rate per second of the load; nil without any time.
    public func rate(overNanoseconds span: Int64) -> Double? {
        span > 0 ? Double(underLoad) / (Double(span) / 1e9) : nil
    }

    func since(_ earlier: EventCount) -> EventCount {
        EventCount(all: all - earlier.all, underLoad: underLoad - earlier.underLoad)
    }
}

/// A sum divided by a sum; both are kept, so that parts can be added up exactly.
public struct Ratio: Equatable, Sendable {
    /// The numerator.
    public var part: Int64
    /// The denominator.
    public var whole: Int64

    /// A ratio with its numerator and denominator.
    public init(part: Int64 = 0, whole: Int64 = 0) {
        self.part = part
        self.whole = whole
    }

    /// The quotient; nil when the denominator is 0.
    public var quotient: Double? {
        whole == 0 ? nil : Double(part) / Double(whole)
    }

    func since(_ earlier: Ratio) -> Ratio {
        Ratio(part: max(0, part - earlier.part), whole: whole - earlier.whole)
    }

    mutating func add(_ other: Ratio) {
        part += other.part
        whole += other.whole
    }
}

/// A level, with the lowest and highest it ever had.
public struct Gauge: Equatable, Sendable {
    /// The level now; nil before it was first set.
    public private(set) var level: Int64?
    /// The lowest level so far.
    private(set) var lowest: Int64 = .max
    /// The highest level so far.
    public private(set) var highest: Int64 = .min

    /// A level that has not been set.
    public init() {}

    mutating func set(_ level: Int64) {
        self.level = level
        lowest = min(lowest, level)
        highest = max(highest, level)
    }
}
