import SquallReport

/// The results of one population's load: over the whole run, and in the measured time.
struct LoadTally {
    /// Over the whole run.
    var visits = LoadRow.Visits()
    var stepsBegun: Int64 = 0
    /// How late visits began, or how long they have waited by the end; in the measured time.
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

    /// What happened to visits in the measured time.
    var measuredVisits: LoadRow.Visits { visits.since(visitsBefore) }

    /// What happened to steps in the measured time, how they ended by the metrics.
    func steps(of population: MeasuredPopulation, _ metrics: Metrics) -> LoadRow.Steps {
        LoadRow.Steps(
            of: metrics, in: population.name, begun: stepsBegun - stepsBefore.begun,
            underWayBefore: stepsBefore.underWay)
    }

    /// The measured part, as results show it.
    func row(of population: MeasuredPopulation, _ metrics: Metrics) -> LoadRow {
        LoadRow(
            population: population.name, app: population.app, visits: measuredVisits,
            steps: steps(of: population, metrics), delay: LatencySummary(delays),
            delayedShare: Ratio(part: delayed, whole: delays.count).quotient)
    }
}
