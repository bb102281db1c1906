import SquallReport

/// What is measured of one population apart from the others.
///
/// Its rows over time grow with the length of the run and not with its users.
struct PopulationLedger {
    /// The numbers of its users.
    let users: Range<Int>
    let name, app, design: String
    private(set) var counts = PopulationRow.Counts()
    private(set) var timeline: Timeline
    private let stepsEnded: TimeSeries.Place
    private let refreshesPerExpiry: Metrics.RatioSlot

    init(
        name: String, app: String, design: String, users: Range<Int>, intervals: Intervals,
        in metrics: inout Metrics
    ) {
        self.name = name
        self.app = app
        self.design = design
        self.users = users
        timeline = Timeline(intervalNanoseconds: intervals.timelineNanoseconds)
        stepsEnded = timeline.series.place(of: .stepsEnded)
        refreshesPerExpiry = metrics.ratio(
            MetricKey(
                .refreshesPerExpiry, [.app: app, .design: design, .population: name]))
    }

    /// Whose it is, for a metric.
    var tags: [TagKey: String] { [.app: app, .design: design, .population: name] }

    /// Forgets what was counted, at the end of a warm-up; what is recorded over time stays.
    mutating func restart() { counts = PopulationRow.Counts() }

    /// A call was answered that its access token had expired, maybe the first of an expiry.
    mutating func answeredExpired(isFirst: Bool, _ metrics: inout Metrics, at now: Int64) {
        counts.expiredAnswers += 1
        timeline.count(.expired, at: now)
        guard isFirst else { return }
        counts.expiries += 1
        metrics.add(0, of: 1, to: refreshesPerExpiry)
    }

    /// A call on the wire has ended.
    mutating func callEnded(_ cause: WireCause, _ metrics: inout Metrics, at now: Int64) {
        counts.calls += 1
        guard cause.isRefresh else { return }
        timeline.count(.refreshes, at: now)
        switch cause {
        case .unpromptedRefresh: counts.unpromptedRefreshes += 1
        case .neededRefresh, .redundantRefresh:
            counts.refreshes += 1
            metrics.add(1, of: 0, to: refreshesPerExpiry)
            guard cause == .redundantRefresh else { break }
            counts.redundantRefreshes += 1
            counts.wastedCalls += 1
        default: break
        }
    }

    /// A request failed in the end after so many attempts.
    mutating func requestFailed(attempts: Int64) { counts.wastedCalls += attempts }

    /// A step has ended, or never will.
    mutating func stepEnded(_ end: StepEnd, at now: Int64) {
        timeline.count(stepsEnded, at: now)
        switch end {
        case .givenUp:
            counts.hangs += 1
            timeline.count(.stepsHung, at: now)
        case .done: counts.steps += 1
        case .idle:
            counts.idleSteps += 1
            timeline.count(.stepsIdle, at: now)
        case .failed, .signedOut:
            counts.steps += 1
            counts.failedSteps += 1
            timeline.count(.stepsFailed, at: now)
            if end == .signedOut { counts.signOuts += 1 }
        }
    }
}
