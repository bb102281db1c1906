import SquallApps
import SquallReport

/// Counts the journeys that began, records their delays, and counts the users who are on one.
final class VisitMetrics: VisitListener {
    static let metrics: [Metric] = [.usersActive, .journeyDelay, .journeys]

    private let run: MeasuredRun
    private let active: Metrics.GaugeSlot
    private(set) var found: Int64 = 0
    /// By population and position of the journey.
    private let begun: [[Metrics.CounterSlot]]
    /// By population.
    private let delays: [Metrics.TrendSlot]

    init(_ run: MeasuredRun) {
        self.run = run
        active = run.metrics.gauge(.usersActive)
        delays = run.trends(.journeyDelay)
        begun = run.populations.map { population in
            population.journeys.map {
                run.metrics.counter(MetricKey(.journeys, population.tags([.journey: $0.name])))
            }
        }
    }

    func journeyBegan(_ user: User, journey: Int) {
        run.metrics.add(1, to: begun[user.population][journey])
        setActive(found + 1)
    }

    func visitBegan(_ user: User, lateByNanoseconds lateness: Int64?) {
        guard let lateness else { return }
        run.metrics.record(lateness, in: delays[user.population])
    }

    /// Adds the waits of waiting visits as delays: they are at least as long.
    func visitsWait(in population: Int, _ waits: VisitWaits) {
        run.metrics.record(waits.delays, in: delays[population])
    }

    func journeyEnded(_ user: User) { setActive(found - 1) }

    private func setActive(_ level: Int64) {
        found = level
        run.metrics.set(level, in: active)
    }
}
