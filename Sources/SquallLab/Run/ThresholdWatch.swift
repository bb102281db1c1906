import SquallReport

/// Checks thresholds while a run goes on: opens and closes their windows, and tells when a
/// threshold that ends the run is crossed.
struct ThresholdWatch {
    private var watched: [Watched]
    private var measuredFrom: Int64 = 0
    /// The end of the load, and of the time of every rate.
    private var loadEnd: Int64?

    private struct Watched {
        let threshold: Threshold
        /// The measurement when the window opened, and that moment.
        var before: MetricValue?
        var openedAt: Int64 = 0
        /// The measurement when it closed, and that moment.
        var after: MetricValue?
        var closedAt: Int64?
        var hasAborted = false
    }

    init(_ thresholds: [Threshold]) { watched = thresholds.map { Watched(threshold: $0) } }

    /// The moments at which a window opens or closes.
    var edges: [Int64] {
        watched.flatMap { [$0.threshold.afterNanoseconds, $0.threshold.untilNanoseconds] }
            .compactMap { $0 }
    }

    /// Notes that all measurements were reset, at the end of a warm-up.
    mutating func restart(at moment: Int64) {
        measuredFrom = moment
        for index in watched.indices {
            watched[index].before = nil
            watched[index].openedAt = moment
            if watched[index].closedAt != nil { watched[index].after = nil }
        }
    }

    mutating func endLoad(at moment: Int64) { loadEnd = moment }

    /// Opens or closes the windows that begin or end at a moment.
    mutating func reach(_ moment: Int64, _ metrics: Metrics) {
        for index in watched.indices {
            let threshold = watched[index].threshold
            if threshold.afterNanoseconds == moment {
                watched[index].before = metrics.value(of: threshold.selection)
                watched[index].openedAt = moment
            }
            if threshold.untilNanoseconds == moment {
                watched[index].after = metrics.value(of: threshold.selection)
                watched[index].closedAt = moment
            }
        }
    }

    /// True if a threshold that ends the run no longer holds.
    mutating func isCrossed(at moment: Int64, _ metrics: Metrics) -> Bool {
        for index in watched.indices where watched[index].threshold.abortsRun {
            guard watched[index].closedAt == nil,
                moment > max(measuredFrom, watched[index].threshold.afterNanoseconds ?? 0)
            else { continue }
            let result = result(of: watched[index], at: moment, metrics)
            if result.observed != nil, !result.ok {
                watched[index].hasAborted = true
                return true
            }
        }
        return false
    }

    func results(at moment: Int64, _ metrics: Metrics) -> [ThresholdResult] {
        watched.map { result(of: $0, at: moment, metrics) }
    }

    /// The numbers by which the thresholds were judged at a moment.
    func evidence(at moment: Int64, _ metrics: Metrics) -> [ThresholdEvidence] {
        watched.map { evidence(of: $0, at: moment, metrics) }
    }

    /// True if a threshold can no longer be met, whatever happens until the run's end.
    func isLost(at moment: Int64, of end: Int64, _ metrics: Metrics) -> Bool {
        watched.contains { watched in
            guard moment > watched.openedAt else { return false }
            let closing = watched.closedAt ?? watched.threshold.untilNanoseconds ?? end
            let share = Double(moment - watched.openedAt) / Double(closing - watched.openedAt)
            return evidence(of: watched, at: moment, metrics).isLost(afterShare: min(1, share))
        }
    }

    private func span(of watched: Watched, at moment: Int64) -> Int64 {
        max(0, (watched.closedAt ?? loadEnd ?? moment) - watched.openedAt)
    }

    /// The measurement in a threshold's window up to a moment; nil before the window opens.
    private func value(of watched: Watched, at moment: Int64, _ metrics: Metrics) -> MetricValue? {
        guard moment >= watched.threshold.afterNanoseconds ?? 0 else { return nil }
        let isOpen = watched.closedAt == nil
        let reached = isOpen ? metrics.value(of: watched.threshold.selection) : watched.after
        return reached?.since(watched.before)
    }

    private func evidence(
        of watched: Watched, at moment: Int64, _ metrics: Metrics
    ) -> ThresholdEvidence {
        watched.threshold.evidence(
            of: value(of: watched, at: moment, metrics),
            overNanoseconds: span(of: watched, at: moment))
    }

    private func result(
        of watched: Watched, at moment: Int64, _ metrics: Metrics
    ) -> ThresholdResult {
        watched.threshold.judge(
            value(of: watched, at: moment, metrics),
            overNanoseconds: span(of: watched, at: moment), abortedRun: watched.hasAborted)
    }
}
