import SquallFormat

/// The counts of a run so far, one series for each metric and set of tags.
///
/// Ask once for the slot of a series, then count through the slot: that is an array access without
/// hashing or text. A sample goes to exactly one series; wider selections add series up.
///
/// ```swift
/// let served = metrics.counter(MetricKey(.requests, [.endpoint: "episode", .status: "200"]))
/// metrics.add(1, to: served)
/// ```
public struct Metrics: Sendable {
    private var indices: [MetricKey: Int] = [:]
    /// The series of each metric: a selection looks at no other's.
    private var series: [Metric: [(key: MetricKey, index: Int)]] = [:]
    private var counts: [Int64] = []
    /// The counts when the load ended; nil while it lasts.
    private var countsUnderLoad: [Int64]?
    private var ratios: [Ratio] = []
    private var trends: [Histogram] = []
    private var gauges: [Gauge] = []

    /// Makes an empty set of metrics.
    public init() {}

    /// The index of a counter's series.
    public struct CounterSlot: Sendable { fileprivate let index: Int }
    /// The index of a rate's or ratio's series.
    public struct RatioSlot: Sendable { fileprivate let index: Int }
    /// The index of a trend's series.
    public struct TrendSlot: Sendable { fileprivate let index: Int }
    /// The index of a gauge.
    public struct GaugeSlot: Sendable { fileprivate let index: Int }

    /// The slot of a counter's series; creates the series if it is new.
    ///
    /// - Precondition: the metric is a counter.
    public mutating func counter(_ key: MetricKey) -> CounterSlot {
        expect(key, isOneOf: [.counter])
        return CounterSlot(index: slot(of: key, in: \.counts, startingWith: 0))
    }

    /// The slot of a rate's or ratio's series; creates the series if it is new.
    ///
    /// - Precondition: the metric is a rate or a ratio.
    public mutating func ratio(_ key: MetricKey) -> RatioSlot {
        expect(key, isOneOf: [.rate, .ratio])
        return RatioSlot(index: slot(of: key, in: \.ratios, startingWith: Ratio()))
    }

    /// The slot of a trend's series; creates the series if it is new.
    ///
    /// - Precondition: the metric is a trend.
    public mutating func trend(_ key: MetricKey) -> TrendSlot {
        expect(key, isOneOf: [.trend])
        return TrendSlot(index: slot(of: key, in: \.trends, startingWith: Histogram()))
    }

    /// The slot of a gauge; creates the gauge if it is new.
    ///
    /// - Precondition: the metric is a gauge.
    public mutating func gauge(_ metric: Metric) -> GaugeSlot {
        let key = MetricKey(metric)
        expect(key, isOneOf: [.gauge])
        return GaugeSlot(index: slot(of: key, in: \.gauges, startingWith: Gauge()))
    }

    /// Adds to a counter.
    public mutating func add(_ amount: Int64 = 1, to slot: CounterSlot) {
        counts[slot.index] += amount
    }

    /// Adds to a counter events of the load that become known only after its end.
    public mutating func add(_ amount: Int64 = 1, ofLoadTo slot: CounterSlot) {
        counts[slot.index] += amount
        guard var underLoad = countsUnderLoad else { return }
        underLoad += repeatElement(0, count: counts.count - underLoad.count)
        underLoad[slot.index] += amount
        countsUnderLoad = underLoad
    }

    /// Marks the end of the load; later counts are in no rate.
    public mutating func endLoad() { countsUnderLoad = countsUnderLoad ?? counts }

    /// Adds to the numerator and the denominator of a rate or ratio.
    public mutating func add(_ part: Int64, of whole: Int64, to slot: RatioSlot) {
        ratios[slot.index].part += part
        ratios[slot.index].whole += whole
    }

    /// Records one value of a trend.
    public mutating func record(_ value: Int64, in slot: TrendSlot) {
        trends[slot.index].record(value)
    }

    /// Records many values of a trend.
    public mutating func record(_ values: Histogram, in slot: TrendSlot) {
        trends[slot.index].merge(values)
    }

    /// Sets a gauge to a new level.
    public mutating func set(_ level: Int64, in slot: GaugeSlot) {
        gauges[slot.index].set(level)
    }

    /// Discards all samples but no series: slots stay valid, gauges keep their level.
    public mutating func restart() {
        for index in counts.indices { counts[index] = 0 }
        for index in ratios.indices { ratios[index] = Ratio() }
        for index in trends.indices { trends[index] = Histogram() }
        for index in gauges.indices {
            guard let level = gauges[index].level else { continue }
            gauges[index] = Gauge()
            gauges[index].set(level)
        }
    }

    private func expect(_ key: MetricKey, isOneOf kinds: [Metric.Kind]) {
        precondition(kinds.contains(key.metric.kind), "\(key.metric.name) is a \(key.metric.kind)")
    }

    private mutating func slot<Value>(
        of key: MetricKey, in values: WritableKeyPath<Metrics, [Value]>, startingWith value: Value
    ) -> Int {
        if let index = indices[key] { return index }
        let index = self[keyPath: values].count
        self[keyPath: values].append(value)
        indices[key] = index
        series[key.metric, default: []].append((key, index))
        return index
    }
}

extension Metrics {
    /// The keys of all series, in output order.
    public var keys: [MetricKey] { indices.keys.ordered(by: <) }

    /// The keys of all series, unordered, for callers that add up or sort afterwards.
    var unorderedKeys: Dictionary<MetricKey, Int>.Keys { indices.keys }

    /// All metrics with a series: the total first, then its series, zeros but no empty trends.
    var entries: [(key: MetricKey, value: MetricValue)] {
        let series = keys
        let totals = Set(series.map(\.metric)).map { MetricKey($0) }
        return Set(series + totals).ordered(by: <).compactMap { key in
            // A total selects every series; a series selects itself alone.
            let value = key.tags.isEmpty ? value(of: key) : value(ofSeries: key)
            // Without samples a series has no distribution; counters show that nothing happened.
            if case .trend(let histogram) = value, histogram.count == 0, !key.tags.isEmpty {
                return nil
            }
            return value.map { (key, $0) }
        }
    }

    /// The value of all selected series together; nil when there is none.
    public func value(of selection: MetricKey) -> MetricValue? {
        let own = series[selection.metric] ?? []
        return value(
            of: selection.metric, at: own.filter { selection.selects($0.key) }.map(\.index))
    }

    /// The value of the series with exactly this key; nil when there is none.
    public func value(ofSeries key: MetricKey) -> MetricValue? {
        indices[key].flatMap { value(of: key.metric, at: [$0]) }
    }

    // Sums and histograms do not depend on the order of their parts.
    private func value(of metric: Metric, at indices: [Int]) -> MetricValue? {
        guard let first = indices.first else { return nil }
        switch metric.kind {
        case .counter:
            let underLoad = countsUnderLoad ?? counts
            return .counter(
                EventCount(
                    all: indices.reduce(0) { $0 + counts[$1] },
                    underLoad: indices.reduce(0) {
                        $0 + ($1 < underLoad.count ? underLoad[$1] : 0)
                    }))
        case .rate: return .rate(indices.reduce(into: Ratio()) { $0.add(ratios[$1]) })
        case .ratio: return .ratio(indices.reduce(into: Ratio()) { $0.add(ratios[$1]) })
        case .trend:
            // From the first, as one alone need not be copied.
            return .trend(
                indices.dropFirst().reduce(into: trends[first]) { $0.merge(trends[$1]) })
        case .gauge: return .gauge(gauges[first])
        }
    }
}

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

/// A run's metrics as a file keeps them, so that several runs can be added up exactly.
public struct MetricsRecord: Codable, Sendable {
    fileprivate let series: [Series]

    /// One series; the metric's kind says what its numbers are.
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
