extension Threshold {
    /// Judges the threshold by what was measured.
    ///
    /// A count without samples is zero. Anything else without samples does **not** hold: the
    /// expectation was not tested.
    public func judge(_ metrics: Metrics, overNanoseconds duration: Int64) -> ThresholdResult {
        judge(metrics.value(of: selection), overNanoseconds: duration)
    }

    /// Judges the threshold by the value of its metric in the part of the run that it is about.
    public func judge(
        _ value: MetricValue?, overNanoseconds duration: Int64, abortedRun: Bool = false
    ) -> ThresholdResult {
        let observed = observe(value, overNanoseconds: duration)
        return ThresholdResult(
            metric: selection.description, expression: expression,
            ok: observed.map { comparison.holds($0.magnitude, limit.magnitude) } ?? false,
            observed: observed, headroom: observed.flatMap(headroom), abortedRun: abortedRun)
    }

    private func observe(_ value: MetricValue?, overNanoseconds duration: Int64) -> Quantity? {
        switch value {
        case .trend(let histogram): observe(histogram)
        case .rate(let ratio): ratio.quotient.map(Quantity.share)
        case .ratio(let ratio): ratio.quotient.map(Quantity.number)
        case .gauge(let gauge): observe(gauge)
        case .counter(let count): observe(count, overNanoseconds: duration)
        case nil:
            selection.metric.kind == .counter || aggregate == .count
                ? observe(EventCount(all: 0, underLoad: 0), overNanoseconds: duration) : nil
        }
    }

    private func observe(_ count: EventCount, overNanoseconds duration: Int64) -> Quantity? {
        guard aggregate == .rate else { return .count(count.all) }
        return count.rate(overNanoseconds: duration).map(Quantity.perSecond)
    }

    private func observe(_ gauge: Gauge) -> Quantity? {
        guard let level = gauge.level else { return nil }
        switch aggregate {
        case .maximum: return .count(gauge.highest)
        case .minimum: return .count(gauge.lowest)
        default: return .count(level)
        }
    }

    private func observe(_ histogram: Histogram) -> Quantity? {
        if aggregate == .count { return .count(histogram.count) }
        guard histogram.count > 0 else { return nil }
        switch aggregate {
        case .average: return .nanoseconds(Int64(histogram.mean.rounded()))
        case .maximum: return .nanoseconds(histogram.maximum)
        case .minimum: return .nanoseconds(histogram.minimum)
        case .percentile(let percentile):
            return .nanoseconds(histogram.value(atPercentile: percentile))
        default: return .nanoseconds(histogram.value(atPercentile: 50))
        }
    }

    private func headroom(of observed: Quantity) -> Double? {
        guard limit.magnitude != 0 else { return nil }
        let room = (limit.magnitude - observed.magnitude) / limit.magnitude.magnitude
        switch comparison {
        case .below, .atMost: return room
        case .above, .atLeast: return -room
        case .equal, .identical, .unequal: return nil
        }
    }
}
