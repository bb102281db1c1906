/// Everything a run has counted so far, one series for each metric and set of tags.
///
/// Ask once for the slot of a series, then count through the slot: that is an array access, no
/// hashing and no text. A sample goes to exactly one series; wider selections add series up.
///
/// ```swift
/// let served = metrics.counter(MetricKey(.requests, [.endpoint: "episode", .status: "200"]))
/// metrics.add(1, to: served)
/// ```
public struct Metrics: Sendable {
    private var indices: [MetricKey: Int] = [:]
    private var counts: [Int64] = []
    /// The counts when the load ended; nil while it lasts.
    private var countsUnderLoad: [Int64]?
    private var ratios: [Ratio] = []
    private var trends: [Histogram] = []
    private var gauges: [Gauge] = []

    /// Nothing counted.
    public init() {}

    /// Where a counter's series is kept.
    public struct CounterSlot: Sendable { fileprivate let index: Int }
    /// Where a rate's or ratio's series is kept.
    public struct RatioSlot: Sendable { fileprivate let index: Int }
    /// Where a trend's series is kept.
    public struct TrendSlot: Sendable { fileprivate let index: Int }
    /// Where a gauge is kept.
    public struct GaugeSlot: Sendable { fileprivate let index: Int }

    /// The slot of a counter's series, made when it is new.
    ///
    /// - Precondition: the metric is a counter.
    public mutating func counter(_ key: MetricKey) -> CounterSlot {
        expect(key, isOneOf: [.counter])
        return CounterSlot(index: slot(of: key, in: \.counts, startingWith: 0))
    }

    /// The slot of a rate's or ratio's series, made when it is new.
    ///
    /// - Precondition: the metric is a rate or a ratio.
    public mutating func ratio(_ key: MetricKey) -> RatioSlot {
        expect(key, isOneOf: [.rate, .ratio])
        return RatioSlot(index: slot(of: key, in: \.ratios, startingWith: Ratio()))
    }

    /// The slot of a trend's series, made when it is new.
    ///
    /// - Precondition: the metric is a trend.
    public mutating func trend(_ key: MetricKey) -> TrendSlot {
        expect(key, isOneOf: [.trend])
        return TrendSlot(index: slot(of: key, in: \.trends, startingWith: Histogram()))
    }

    /// The slot of a gauge, made when it is new.
    ///
    /// - Precondition: the metric is a gauge.
    public mutating func gauge(_ metric: Metric) -> GaugeSlot {
        let key = MetricKey(metric)
        expect(key, isOneOf: [.gauge])
        return GaugeSlot(index: slot(of: key, in: \.gauges, startingWith: Gauge()))
    }

    /// Raises a counter.
    public mutating func add(_ amount: Int64 = 1, to slot: CounterSlot) {
        counts[slot.index] += amount
    }

    /// Raises a counter by what belongs to the load, though it is known only after its end.
    public mutating func add(_ amount: Int64 = 1, ofLoadTo slot: CounterSlot) {
        counts[slot.index] += amount
        guard var underLoad = countsUnderLoad else { return }
        underLoad += repeatElement(0, count: counts.count - underLoad.count)
        underLoad[slot.index] += amount
        countsUnderLoad = underLoad
    }

    /// The load is over: what is counted from now on is in no rate.
    public mutating func endLoad() { countsUnderLoad = countsUnderLoad ?? counts }

    /// Adds to both sides of a rate or ratio: so many of so many.
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

    /// Moves a gauge to a new level.
    public mutating func set(_ level: Int64, in slot: GaugeSlot) {
        gauges[slot.index].set(level)
    }

    /// Forgets every sample but no series: slots stay valid, gauges keep their level.
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
        return index
    }
}

extension Metrics {
    /// The keys of all series, in the order of every output.
    public var keys: [MetricKey] { indices.keys.sorted() }

    /// The same in no order, for what is added up or put in order afterwards.
    var unorderedKeys: Dictionary<MetricKey, Int>.Keys { indices.keys }

    /// Every metric that was touched: its total first, then its series, those that are zero too.
    var entries: [(key: MetricKey, value: MetricValue)] {
        let series = keys
        let totals = Set(series.map(\.metric)).map { MetricKey($0) }
        return Set(series + totals).sorted().compactMap { key in
            // A total selects every series; a series selects itself alone.
            let value = key.tags.isEmpty ? value(of: key) : value(ofSeries: key)
            // Of what never happened there is no distribution; counters tell that it did not.
            if case .trend(let histogram) = value, histogram.count == 0, !key.tags.isEmpty {
                return nil
            }
            return value.map { (key, $0) }
        }
    }

    /// What the selected series hold together, or nil when there is no such series.
    public func value(of selection: MetricKey) -> MetricValue? {
        var selected: [Int] = []
        for (key, index) in indices where selection.selects(key) { selected.append(index) }
        return value(of: selection.metric, at: selected)
    }

    /// What the one series of exactly this key holds, or nil when there is no such series.
    public func value(ofSeries key: MetricKey) -> MetricValue? {
        indices[key].flatMap { value(of: key.metric, at: [$0]) }
    }

    // Sums and histograms do not depend on the order of their parts, so the order of `indices`,
    // which comes from a dictionary, cannot show.
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
