import SquallReport

/// Counts, by population, what the load offered, what happened to it, and how many steps began.
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
