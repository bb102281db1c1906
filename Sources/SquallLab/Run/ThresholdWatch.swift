import SquallReport

/// Holds thresholds against a run while it goes on: opens and closes their windows, and tells when
/// one that ends the run is crossed.
struct ThresholdWatch {
    private var watched: [Watched]
    private var measuredFrom: Int64 = 0
    /// When the load ended, and with it the time of every rate.
    private var loadEnd: Int64?

    private struct Watched {
        let threshold: Threshold
        /// What had been measured when the window opened, and when that was.
        var before: MetricValue?
        var openedAt: Int64 = 0
        /// What had been measured when it closed, and when that was.
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

    /// Everything measured so far has been forgotten, at the end of a warm-up.
    mutating func restart(at moment: Int64) {
        measuredFrom = moment
        for index in watched.indices {
            watched[index].before = nil
            watched[index].openedAt = moment
            if watched[index].closedAt != nil { watched[index].after = nil }
        }
    }

    /// The load is over: what happens from now on is in no rate.
    mutating func endLoad(at moment: Int64) { loadEnd = moment }

    /// A moment at which a window may open or close has come.
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

    /// Whether a threshold that ends the run does not hold any more.
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

    /// What the thresholds came to at a moment.
    func results(at moment: Int64, _ metrics: Metrics) -> [ThresholdResult] {
        watched.map { result(of: $0, at: moment, metrics) }
    }

    /// What the thresholds were judged by at a moment.
    func evidence(at moment: Int64, _ metrics: Metrics) -> [ThresholdEvidence] {
        watched.map { evidence(of: $0, at: moment, metrics) }
    }

    /// Whether a threshold cannot be met any more, whatever happens until the run's end.
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

    private func evidence(
        of watched: Watched, at moment: Int64, _ metrics: Metrics
    ) -> ThresholdEvidence {
        let threshold = watched.threshold
        let reached =
            watched.closedAt == nil ? metrics.value(of: threshold.selection) : watched.after
        let hasBegun = moment >= threshold.afterNanoseconds ?? 0
        return threshold.evidence(
            of: hasBegun ? reached?.since(watched.before) : nil,
            overNanoseconds: span(of: watched, at: moment))
    }

    private func result(
        of watched: Watched, at moment: Int64, _ metrics: Metrics
    ) -> ThresholdResult {
        let threshold = watched.threshold
        let isOpen = watched.closedAt == nil
        let reached = isOpen ? metrics.value(of: threshold.selection) : watched.after
        let hasBegun = moment >= threshold.afterNanoseconds ?? 0
        return threshold.judge(
            hasBegun ? reached?.since(watched.before) : nil,
            overNanoseconds: span(of: watched, at: moment),
            abortedRun: watched.hasAborted)
    }
}
