import SquallBackend
import SquallReport

/// Records how long workers waited for a connection to the database, by population and endpoint.
final class DatabaseMetrics: ServerListener {
    static let metrics: [Metric] = [.databaseWait]

    private let run: MeasuredRun
    /// Made when the first worker of its kind gets a connection.
    @exclusivity(unchecked) private var known = SlotTable<Metrics.TrendSlot>()

    init(_ run: MeasuredRun) { self.run = run }

    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        run.metrics.record(
            wait, in: known[user.population, endpoint] ?? slot(of: endpoint, user.population))
    }

    private func slot(of endpoint: Endpoint, _ population: Int) -> Metrics.TrendSlot {
        let tags = run.populations[population].tags([.endpoint: endpoint.name])
        let slot = run.metrics.trend(MetricKey(.databaseWait, tags))
        known[population, endpoint] = slot
        return slot
    }
}

extension Metric {
    /// Time until a worker that asks the database had a connection.
    static let databaseWait = Metric(
        "database_wait", .trend, ofUser + [.endpoint],
        "Time until a worker that asks the database had a connection.")
}
