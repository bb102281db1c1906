import SquallBackend
import SquallReport

/// The measurements of one population.
///
/// Its rows over time grow with the length of the run and not with its users.
struct PopulationTally {
    fileprivate(set) var counts = PopulationRow.Counts()
    fileprivate(set) var timeline: TimeSeries
    fileprivate let refreshesPerExpiry: Metrics.RatioSlot
}

/// Measures each population separately.
final class PopulationListener: AttemptListener, ExchangeListener, RequestListener, StepListener {
    static let metrics: [Metric] = [.refreshesPerExpiry]
    static let observedExchanges: EventTraits = [.any, .unended]
    static let observedRequests: EventTraits = .wasted

    /// In the order of the users' numbers.
    @exclusivity(unchecked) private(set) var found: [PopulationTally]
    private let run: MeasuredRun
    private let stepsEnded: TimeSeries.Place

    init(_ run: MeasuredRun) {
        self.run = run
        let timeline = TimeSeries(
            columns: TimelineColumn.builtIn,
            intervalNanoseconds: run.intervals.timelineNanoseconds)
        stepsEnded = timeline.place(of: .stepsEnded)
        found = run.populations.map { population in
            let refreshes = run.metrics.ratio(MetricKey(.refreshesPerExpiry, population.tags()))
            return PopulationTally(timeline: timeline, refreshesPerExpiry: refreshes)
        }
    }

    /// Resets the counts; the series over time stay.
    func restart() {
        for index in found.indices { found[index].counts = PopulationRow.Counts() }
    }

    func close() {
        for index in found.indices { found[index].timeline.close() }
    }

    func attemptTaken(_ kind: AttemptKind, _ user: User) {
        guard kind == .refresh else { return }
        found[user.population].timeline.count(.refreshes, at: user.now)
    }

    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.isMeasured else { return }
        count(exchange.finding, exchange.isExpired, in: &found[exchange.user.population])
    }

    private func count(
        _ finding: AttemptCauses.Finding, _ isExpired: Bool, in tally: inout PopulationTally
    ) {
        tally.counts.attempts += 1
        if isExpired { tally.counts.expiredAnswers += 1 }
        if finding.countsExpiry {
            tally.counts.expiries += 1
            run.metrics.add(0, of: 1, to: tally.refreshesPerExpiry)
        }
        tally.counts.loopingCalls += finding.loops.calls
        tally.counts.longestLoop = max(tally.counts.longestLoop, finding.loops.longest)
        switch finding.cause {
        case .unpromptedRefresh: tally.counts.unpromptedRefreshes += 1
        case .neededRefresh, .redundantRefresh:
            tally.counts.promptedRefreshes += 1
            run.metrics.add(1, of: 0, to: tally.refreshesPerExpiry)
            guard finding.cause == .redundantRefresh else { break }
            tally.counts.redundantRefreshes += 1
            tally.counts.wastedAttempts += 1
        default: break
        }
    }

    func requestEnded(_ request: EndedRequest) {
        found[request.user.population].counts.wastedAttempts += request.wastedAttempts
    }

    func stepEnded(_ step: EndedStep) { count(step, in: &found[step.user.population]) }

    private func count(_ step: EndedStep, in tally: inout PopulationTally) {
        switch step.end {
        case .givenUp: tally.counts.hangs += 1
        case .idle: tally.counts.idleSteps += 1
        case .done, .failed, .signedOut:
            tally.counts.steps += 1
            tally.timeline.count(stepsEnded, at: step.user.now)
            guard step.end != .done else { break }
            tally.counts.failedSteps += 1
            tally.timeline.count(.stepsFailed, at: step.user.now)
            if step.end == .signedOut { tally.counts.signOuts += 1 }
        }
    }
}
