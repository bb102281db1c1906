import SquallReport

/// Counts visits by their fate, and steps, by population.
final class LoadListener: VisitListener, StepListener {
    static let metrics: [Metric] = [.visits]

    /// In the order of the users' numbers.
    @exclusivity(unchecked) private(set) var found: [LoadTally]
    private let run: MeasuredRun
    /// By population and fate of visits.
    private let slots: [[Metrics.CounterSlot]]

    init(_ run: MeasuredRun) {
        self.run = run
        found = run.populations.map { _ in LoadTally() }
        slots = run.populations.map { population in
            Fate.allCases.map { fate in
                run.metrics.counter(
                    MetricKey(.visits, population.tags([.status: fate.rawValue])))
            }
        }
    }

    /// The fates of a visit, as the metric names them.
    fileprivate enum Fate: String, CaseIterable {
        case refused, waiting, ended, abandoned, underWay
    }

    private func count(_ fate: Fate, in population: Int, times: Int64 = 1) {
        guard let index = Fate.allCases.firstIndex(of: fate) else { return }
        run.metrics.add(times, to: slots[population][index])
    }

    func restart() {
        for index in found.indices { found[index].restart(run.populations[index], run.metrics) }
    }

    func visitOffered(in population: Int) {
        found[population].visits.offered += 1
    }

    func visitBegan(_ user: User, lateByNanoseconds lateness: Int64?) {
        found[user.population].visits.begun += 1
        if let lateness { found[user.population].noteDelay(lateness) }
    }

    func visitRefused(in population: Int) {
        found[population].visits.refused += 1
        count(.refused, in: population)
    }

    func visitsWait(in population: Int, _ waits: VisitWaits) {
        found[population].visits.waiting += waits.delays.count
        found[population].noteDelays(waits)
        count(.waiting, in: population, times: waits.delays.count)
    }

    func visitEnded(_ user: User, isGivenUp: Bool) {
        let fate = isGivenUp ? \LoadRow.Visits.abandoned : \.ended
        found[user.population].visits[keyPath: fate] += 1
        count(isGivenUp ? .abandoned : .ended, in: user.population)
    }

    /// Counts the visits that are under way when the run is over.
    static func countUnderWay(
        _ tally: LoadTally, of population: MeasuredPopulation, in metrics: inout Metrics
    ) {
        let key = MetricKey(.visits, population.tags([.status: Fate.underWay.rawValue]))
        metrics.add(tally.measuredVisits.underWay, ofLoadTo: metrics.counter(key))
    }

    func stepBegan(_ user: User) { found[user.population].stepsBegun += 1 }
}

extension Metric {
    /// Visits of users, each once, by its fate; waiting ones are counted when the load ends, and
    /// those under way when the run ends.
    static let visits = Metric(
        "visits", .counter, ofUser + [.status],
        "Visits, each once, by their fate: refused, waiting, ended, abandoned, underWay.",
        values: [.status: LoadListener.Fate.allCases.map(\.rawValue)])
}

/// The results of one population's load: over the whole run, and in the measured time.
struct LoadTally {
    /// Over the whole run.
    var visits = LoadRow.Visits()
    var stepsBegun: Int64 = 0
    /// The delays of visits at their beginning, or their waits by the end; in the measured time.
    private var delays = Histogram()
    /// Visits among those that were, or are, late by more than `tolerance`.
    private var delayed: Int64 = 0
    /// The counts at the end of the warm-up.
    private var visitsBefore = LoadRow.Visits()
    private(set) var stepsBefore = LoadRow.Steps()

    /// A visit that begins no later than this is in time: a user would not notice.
    private static let tolerance: Int64 = 1_000_000_000

    /// Adds the waits of planned visits that have not begun by the end.
    mutating func noteDelays(_ waits: VisitWaits) {
        delays.merge(waits.delays)
        delayed += waits.count(longerThan: Self.tolerance)
    }

    /// Adds the delay of a planned visit that begins.
    mutating func noteDelay(_ delay: Int64) {
        delays.record(delay)
        if delay > Self.tolerance { delayed += 1 }
    }

    /// Begins to measure; the counts go on, and the metrics begin anew.
    mutating func restart(_ population: MeasuredPopulation, _ metrics: Metrics) {
        visitsBefore = visits
        stepsBefore = steps(of: population, metrics)
        delays = Histogram()
        delayed = 0
    }

    /// The visits of the measured time by their fate.
    var measuredVisits: LoadRow.Visits { visits.since(visitsBefore) }

    /// The steps of the measured time by their end, which the metrics tell.
    func steps(of population: MeasuredPopulation, _ metrics: Metrics) -> LoadRow.Steps {
        LoadRow.Steps(
            of: metrics, in: population.name, begun: stepsBegun - stepsBefore.begun,
            underWayBefore: stepsBefore.underWay)
    }

    /// The measured part as a row of results.
    func row(of population: MeasuredPopulation, _ metrics: Metrics) -> LoadRow {
        LoadRow(
            population: population.name, app: population.app, visits: measuredVisits,
            steps: steps(of: population, metrics), delay: LatencySummary(delays),
            delayedShare: Ratio(part: delayed, whole: delays.count).quotient)
    }
}
