import SquallBackend
import SquallReport

/// Records how long requests waited for a worker, by population and endpoint, and how many workers
/// were busy.
final class ServerMetrics: ServerListener {
    static let metrics: [Metric] = [.serverWait, .serverQueue, .workersBusy]

    private let run: MeasuredRun
    private let queue, busy: Metrics.GaugeSlot
    /// Made when the first request of its kind leaves the line.
    @exclusivity(unchecked) private var known = SlotTable<Metrics.TrendSlot>()

    init(_ run: MeasuredRun) {
        self.run = run
        queue = run.metrics.gauge(.serverQueue)
        busy = run.metrics.gauge(.workersBusy)
    }

    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        run.metrics.record(
            wait, in: known[user.population, endpoint] ?? slot(of: endpoint, user.population))
    }

    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {
        run.metrics.set(busy, in: self.busy)
        run.metrics.set(waiting, in: queue)
    }

    private func slot(of endpoint: Endpoint, _ population: Int) -> Metrics.TrendSlot {
        let tags = run.populations[population].tags([.endpoint: endpoint.name])
        let slot = run.metrics.trend(MetricKey(.serverWait, tags))
        known[population, endpoint] = slot
        return slot
    }
}

extension Metric {
    /// Time in line before the workers; the waits of those turned away for waiting count too.
    static let serverWait = Metric(
        "server_wait", .trend, ofUser + [.endpoint],
        "Time in line until a worker took the request, or found that it had waited too long.")
    /// Requests that wait for a worker.
    static let serverQueue = Metric(
        "server_queue", .gauge, [], "Requests that wait for a worker.")
    /// Workers at work.
    static let workersBusy = Metric(
        "workers_busy", .gauge, [], "Workers that are at work.")
}
