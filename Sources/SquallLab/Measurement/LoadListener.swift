import SquallReport

/// Counts, by population, what the load offered and what became of it, and how steps ended.
final class LoadListener: VisitListener, StepListener {
    static let metrics: [Metric] = [.visits]

    /// In the order of the users' numbers.
    private(set) var found: [LoadTally]
    private let run: MeasuredRun
    /// By population and what became of visits.
    private let slots: [[Metrics.CounterSlot]]

    init(_ run: MeasuredRun) {
        self.run = run
        found = run.populations.map { LoadTally(population: $0.name, app: $0.app) }
        slots = run.populations.map { population in
            Fate.allCases.map { fate in
                run.metrics.counter(
                    MetricKey(.visits, population.tags([.status: fate.rawValue])))
            }
        }
    }

    /// What can become of a visit, as the metric calls it.
    fileprivate enum Fate: String, CaseIterable {
        case offered, begun, refused, waiting, ended, givenUp
    }

    private func count(_ fate: Fate, in population: Int) {
        guard let index = Fate.allCases.firstIndex(of: fate) else { return }
        run.metrics.add(1, to: slots[population][index])
    }

    func restart() {
        for index in found.indices { found[index].restart() }
    }

    func visitOffered(in population: Int) {
        found[population].visits.offered += 1
        count(.offered, in: population)
    }

    func visitBegan(_ user: User, lateByNanoseconds lateness: Int64?) {
        found[user.population].visits.begun += 1
        if let lateness { found[user.population].noteDelay(lateness) }
        count(.begun, in: user.population)
    }

    func visitRefused(in population: Int) {
        found[population].visits.refused += 1
        count(.refused, in: population)
    }

    func visitWaits(in population: Int, forNanoseconds wait: Int64) {
        found[population].visits.waiting += 1
        found[population].noteDelay(wait)
        count(.waiting, in: population)
    }

    func visitEnded(_ user: User, isGivenUp: Bool) {
        if isGivenUp {
            found[user.population].visits.givenUp += 1
        } else {
            found[user.population].visits.ended += 1
        }
        count(isGivenUp ? .givenUp : .ended, in: user.population)
    }

    func stepBegan(_ user: User) { found[user.population].steps.begun += 1 }

    func stepEnded(_ step: EndedStep) {
        switch step.end {
        case .done: found[step.user.population].steps.done += 1
        case .failed, .signedOut: found[step.user.population].steps.failed += 1
        case .idle: found[step.user.population].steps.idle += 1
        case .givenUp: found[step.user.population].steps.givenUp += 1
        }
    }
}

extension Metric {
    /// Visits of users, by what became of them; those that still wait are counted at the end.
    static let visits = Metric(
        "visits", .counter, .count, ofUser + [.status],
        "Visits by their fate: offered, begun, refused, waiting, ended, givenUp.",
        values: [.status: LoadListener.Fate.allCases.map(\.rawValue)])
}
