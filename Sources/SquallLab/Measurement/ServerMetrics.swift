import SquallBackend
import SquallReport

/// Records the waits of requests for a worker, and of workers for a connection to the database, by
/// population and endpoint, and the number of busy workers.
final class ServerMetrics: ServerListener {
    static let metrics: [Metric] = [.serverWait, .serverQueue, .workersBusy, .databaseWait]

    private let run: MeasuredRun
    private let queue, busy: Metrics.GaugeSlot
    @exclusivity(unchecked) private var waiting: Int64?
    @exclusivity(unchecked) private var waits = SlotTable<Metrics.TrendSlot>()

    init?(_ run: MeasuredRun) {
        guard !run.isDriven else { return nil }
        self.run = run
        queue = run.metrics.gauge(.serverQueue)
        busy = run.metrics.gauge(.workersBusy)
    }

    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        record(wait, 0, of: .serverWait, endpoint, user)
    }

    func connectionFound(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        record(wait, 1, of: .databaseWait, endpoint, user)
    }

    private func record(
        _ wait: Int64, _ kind: Int, of metric: Metric, _ endpoint: Endpoint, _ user: User
    ) {
        let slot = waits.slot(user.population, endpoint, kind, of: 2) {
            run.metrics.trend(MetricKey(metric, run.tags(user.population, endpoint)))
        }
        run.metrics.record(wait, in: slot)
    }

    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {
        run.metrics.set(busy, in: self.busy)
        // Mostly none waits, and a level that is set again stays as it is.
        guard waiting != self.waiting else { return }
        self.waiting = waiting
        run.metrics.set(waiting, in: queue)
    }
}

extension Metric {
    static let serverWait = Metric(
        "server_wait", .trend, ofUser + [.endpoint],
        "Time in line until a worker took the request, it waited too long or its client gave up.")
    static let serverQueue = Metric(
        "server_queue", .gauge, [], "Requests that wait for a worker.")
    static let workersBusy = Metric(
        "workers_busy", .gauge, [], "Workers that are at work.")
    static let databaseWait = Metric(
        "database_wait", .trend, ofUser + [.endpoint],
        "Time until a worker that asks the database had a connection.")
}
