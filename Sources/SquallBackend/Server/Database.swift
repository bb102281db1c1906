import SquallFormat
import SquallKernel

/// The database behind the workers: some connections, and one disk that all of them read from.
struct Database {
    let plan: DatabasePlan
    /// Whether the calls of an endpoint ask it, by the endpoint's number; empty for all.
    private let asks: [Bool?]
    var connections: ServerQueue
    private var diskFreeAt: Int64 = 0

    init?(_ plan: DatabasePlan?, _ services: ServiceDirectory) {
        guard let plan else { return nil }
        self.plan = plan
        let named = Dictionary(uniqueKeysWithValues: plan.endpoints.map { ($0, true) })
        asks = services.byEndpoint(named)
        connections = ServerQueue(workers: plan.connections, queueLimit: .max)
    }

    /// Whether the calls of an endpoint ask it.
    func isAsked(by endpoint: Endpoint) -> Bool {
        guard !plan.endpoints.isEmpty else { return true }
        let number = Int(endpoint.number)
        return number < asks.count && asks[number] == true
    }

    /// How long reading this many rows takes from now; rows of earlier queries are read first.
    mutating func read(_ rows: Int, at now: Instant) -> Int64 {
        guard let rate = plan.rowsPerSecond, rows > 0 else { return 0 }
        let span = Int64(min(Double(Int64.max / 2), (Double(rows) / rate * 1e9).rounded()))
        diskFreeAt = max(now.nanoseconds, diskFreeAt).clampedSum(span)
        return diskFreeAt - now.nanoseconds
    }
}
