import SquallReport

/// What one population's load came to: over the whole run, and in what is measured of it.
struct LoadTally {
    let population, app: String
    /// Over the whole run.
    var visits = LoadRow.Visits()
    var steps = LoadRow.Steps()
    /// How late visits began, or how long they have waited by the end; in what is measured.
    private var delays = Histogram()
    /// Visits among those that came, or are, later than `tolerance`.
    private var delayed: Int64 = 0
    /// What had been counted when the warm-up ended.
    private var visitsBefore = LoadRow.Visits()
    private var stepsBefore = LoadRow.Steps()

    /// A visit that begins at most so late begins in time: a person would not notice.
    private static let tolerance: Int64 = 1_000_000_000

    init(population: String, app: String) {
        self.population = population
        self.app = app
    }

    /// Visits that were planned have waited for so long by the end.
    mutating func noteDelays(_ waits: VisitWaits) {
        delays.merge(waits.delays)
        delayed += waits.count(longerThan: Self.tolerance)
    }

    /// A visit that was planned begins so late.
    mutating func noteDelay(_ delay: Int64) {
        delays.record(delay)
        if delay > Self.tolerance { delayed += 1 }
    }

    /// Begins to measure: what is counted goes on.
    mutating func restart() {
        visitsBefore = visits
        stepsBefore = steps
        delays = Histogram()
        delayed = 0
    }

    /// What is measured, as results show it.
    var row: LoadRow {
        LoadRow(
            population: population, app: app, visits: visits.since(visitsBefore),
            steps: steps.since(stepsBefore), delay: LatencySummary(delays),
            delayedShare: Ratio(part: delayed, whole: delays.count).quotient)
    }
}
