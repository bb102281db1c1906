import SquallReport

/// The measurements of one population.
///
/// Its rows over time grow with the length of the run and not with its users.
struct PopulationLedger {
    /// The numbers of its users.
    let users: Range<Int>
    let name, app, design: String
    private(set) var counts = PopulationRow.Counts()
    private(set) var timeline: Timeline
    /// So many answers "expired" to one call are a loop: its new tokens expire before they can be
    /// used, or it is sent again without one.
    private static let loop: Int64 = 3

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

    /// Its tags for a metric.
    var tags: [TagKey: String] { [.app: app, .design: design, .population: name] }

    /// Resets the counts, at the end of a warm-up; the series over time stay.
    mutating func restart() { counts = PopulationRow.Counts() }

    /// Keeps no further rows.
    mutating func close() { timeline.close() }

    /// A refresh was sent.
    mutating func refreshSent(at now: Int64) { timeline.count(.refreshes, at: now) }

    /// Notes that a measured attempt has ended, or never will.
    mutating func attemptSent(
        _ finding: AttemptCauses.Finding, isExpired: Bool, _ metrics: inout Metrics
    ) {
        counts.attempts += 1
        if isExpired { counts.expiredAnswers += 1 }
        if finding.countsExpiry {
            counts.expiries += 1
            metrics.add(0, of: 1, to: refreshesPerExpiry)
        }
        if finding.refusals == Self.loop { counts.loopingCalls += 1 }
        if finding.refusals >= Self.loop {
            counts.longestLoop = max(counts.longestLoop, finding.refusals)
        }
        switch finding.cause {
        case .unpromptedRefresh: counts.unpromptedRefreshes += 1
        case .neededRefresh, .redundantRefresh:
            counts.promptedRefreshes += 1
            metrics.add(1, of: 0, to: refreshesPerExpiry)
            guard finding.cause == .redundantRefresh else { break }
            counts.redundantRefreshes += 1
            counts.wastedAttempts += 1
        default: break
        }
    }

    /// Notes that a request failed after this many attempts.
    mutating func requestFailed(attempts: Int64) { counts.wastedAttempts += attempts }

    /// Notes that a step has ended, or never will.
    mutating func stepEnded(_ end: StepEnd, at now: Int64) {
        switch end {
        case .givenUp: counts.hangs += 1
        case .idle: counts.idleSteps += 1
        case .done:
            counts.steps += 1
            timeline.count(stepsEnded, at: now)
        case .failed, .signedOut:
            counts.steps += 1
            timeline.count(stepsEnded, at: now)
            counts.failedSteps += 1
            timeline.count(.stepsFailed, at: now)
            if end == .signedOut { counts.signOuts += 1 }
        }
    }
}
