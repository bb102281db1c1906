import SquallBackend
import SquallReport

/// Records how long workers waited for a connection to the database, by population and endpoint.
final class DatabaseMetrics: ServerListener {
    static let metrics: [Metric] = [.databaseWait]

    private let run: MeasuredRun
    /// Made when the first of its kind gets a connection.
    private var known: [Key: Metrics.TrendSlot] = [:]

    private struct Key: Hashable {
        let population: Int
        let endpoint: Endpoint
    }

    init(_ run: MeasuredRun) { self.run = run }

    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        let key = Key(population: user.population, endpoint: endpoint)
        run.metrics.record(wait, in: known[key] ?? slot(of: key))
    }

    private func slot(of key: Key) -> Metrics.TrendSlot {
        let tags = run.populations[key.population].tags([.endpoint: key.endpoint.name])
        let slot = run.metrics.trend(MetricKey(.databaseWait, tags))
        known[key] = slot
        return slot
    }
}

extension Metric {
    /// Time until a worker that asks the database had a connection.
    static let databaseWait = Metric(
        "database_wait", .trend, .nanoseconds, ofUser + [.endpoint],
        "Time until a worker that asks the database had a connection.")
}
