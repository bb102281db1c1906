import SquallFormat

/// The most likely cause of a broken expectation, from the measurements of the run.
///
/// Full resources come first: where every worker, connection or query is in use, waits and refusals
/// follow, whatever else is true. Then come faults of the profile, then the behaviour of clients.
/// Where nothing stands out, the text says so.
struct LikelyCause {
    private let summary: RunSummary

    /// The share of time in use from which on a resource counts as full.
    private static let fullShare = 0.9
    /// The share of attempts from which on redundant refreshes count as a load of their own.
    private static let stormShare = 0.1

    init(_ summary: RunSummary) { self.summary = summary }

    /// The reason for which an expectation of a metric does not hold, as a clause.
    func clause(for result: ThresholdResult) -> String {
        let metric = result.metric.prefix { $0 != "{" }
        guard result.observed != nil else { return "without samples it fails" }
        let found: String? =
            switch metric {
            case "refreshes", "refreshes_per_expiry", "refreshes_per_expired_step",
                "refreshes_redundant", "refreshes_unprompted", "refresh_loops", "expired_responses":
                loop ?? storm ?? fault ?? full
            case "sessions_lost": sessionsLost ?? fault ?? failure
            case "hangs": hang ?? full ?? fault
            case "step_failed": full ?? fault ?? failedStep ?? failure ?? storm
            case "request_failed", "retries", "attempts_wasted":
                full ?? fault ?? failure ?? storm
            default: full ?? connections ?? fault ?? storm ?? line ?? failure
            }
        return found ?? "no likely cause was found, and no measured resource was saturated"
    }

    private var full: String? { database ?? server }

    private var database: String? {
        guard let database = summary.server?.database, let busy = database.meanBusy,
            database.connections > 0, busy / Double(database.connections) >= Self.fullShare
        else { return nil }
        let share = Units.percent(busy / Double(database.connections))
        return "the database was full, its"
            + " \(Units.counted(database.connections, "connection")) in use \(share) of the"
            + " time"
    }

    private var server: String? {
        guard let server = summary.server else { return nil }
        let pools = server.pools.filter { ($0.utilisation ?? 0) >= Self.fullShare }
        if let pool = pools.max(by: { $0.longestQueue < $1.longestQueue }) {
            let name = pool.name.isEmpty ? "the server's common workers" : "the pool \(pool.name)"
            return "\(name) \(pool.name.isEmpty ? "were" : "was") full,"
                + " \(Units.percent(pool.utilisation ?? 0)) busy, with up to"
                + " \(Units.grouped(pool.longestQueue)) requests waiting"
        }
        guard let busy = server.utilisation, busy >= Self.fullShare else { return nil }
        let turned = server.queues.reduce(0) { $0 + $1.rejected }
        return "the server was full, its \(Units.counted(server.workers, "worker"))"
            + " \(Units.percent(busy)) busy, with up to \(Units.grouped(server.longestQueue))"
            + " requests waiting"
            + (turned > 0 ? " and \(Units.grouped(turned)) rejected" : "")
    }

    /// Users' own connections; one user at a time may have none free.
    private var connections: String? {
        guard let wait = summary.total(of: .connectionWait)?.latency,
            let wire = summary.total(of: .requestDuration)?.latency, wait.count > 0,
            wait.p95 > 0, wait.p95 >= wire.p95
        else { return nil }
        return "the users' own connections were used up: one attempt in twenty waited"
            + " \(Units.approximate(nanoseconds: wait.p95)) or longer"
    }

    /// Short queues at a server that is not busy on average.
    private var line: String? {
        guard let server = summary.server, server.waitNanoseconds.count > 0,
            server.waitNanoseconds.p99 >= 100_000_000, server.longestQueue > 0
        else { return nil }
        return "requests arrived in bursts: up to \(Units.grouped(server.longestQueue)) waited at"
            + " once for a server that was \(Units.percent(server.utilisation ?? 0)) busy on"
            + " average"
    }

    private var fault: String? {
        let bad =
            summary.faults.first { $0.recovery == .metastable }
            ?? summary.faults.first { $0.recovery == .never } ?? summary.faults.first
        guard let bad else { return nil }
        switch bad.recovery.outcome {
        case .metastable:
            return "the fault \"\(bad.name)\" was over, and the service did not recover"
        case .never: return "the service did not recover from the fault \"\(bad.name)\""
        default:
            return "the fault \"\(bad.name)\" was injected at"
                + " \(Units.approximate(nanoseconds: bad.startNanoseconds))"
        }
    }

    private var loop: String? {
        let calls = summary.populations.reduce(0) { $0 + $1.loopingCalls }
        let longest = summary.populations.map(\.longestLoop).max() ?? 0
        guard calls > 0 else { return nil }
        return "a refresh loop, in which \(Units.counted(calls, "call"))"
            + " \(calls == 1 ? "was" : "were") refused and refreshed up to"
            + " \(Units.grouped(longest)) times"
    }

    private var storm: String? {
        let redundant = summary.populations.reduce(0) { $0 + $1.redundantRefreshes }
        let attempts = summary.total(of: .requests)?.count ?? 0
        guard redundant > 0, attempts > 0 else { return nil }
        let share = Double(redundant) / Double(attempts)
        let words = Units.counted(redundant, "redundant refresh")
        return share >= Self.stormShare
            ? "a refresh storm: \(words) \(redundant == 1 ? "is" : "are")"
                + " \(Units.percent(share)) of all attempts"
            : words
    }

    private var sessionsLost: String? {
        let rows = summary.stepFailures.filter { $0.outcome == "loggedOut" && !$0.cause.isEmpty }
        let worst = rows.max { ($0.count, $1.cause) < ($1.count, $0.cause) }
        return worst.map { "apps signed users out after \($0.cause)" }
    }

    private var hang: String? {
        guard let first = summary.hangs.named.first else { return nil }
        return "\(first.journey) · \(first.step) waits for a completion that was lost in"
            + " \(first.lostIn)"
    }

    /// The most frequent outcome of failed steps, and the share of them without a failed call.
    private var failedStep: String? {
        let rows = Dictionary(grouping: summary.stepFailures, by: \.outcome)
        let counts = rows.map { outcome, rows in
            (outcome: outcome, count: rows.reduce(0) { $0 + $1.count })
        }
        guard let worst = counts.max(by: { ($0.count, $1.outcome) < ($1.count, $0.outcome) })
        else { return nil }
        let all = counts.reduce(0) { $0 + $1.count }
        let silent = rows[worst.outcome, default: []].filter(\.endpoint.isEmpty)
            .reduce(0) { $0 + $1.count }
        let whole =
            all == 1
            ? "the one failure is"
            : "\(Units.grouped(worst.count)) of \(Units.counted(all, "failure"))"
                + (worst.count == 1 ? " is" : " are")
        return "\(whole) \(worst.outcome)"
            + (silent > 0 ? ", \(Units.grouped(silent)) of them without a failed call" : "")
    }

    /// The most frequent status or error of failed attempts.
    private var failure: String? {
        let rows = Dictionary(grouping: summary.attemptFailures, by: \.status).map { status, rows in
            (status: status, count: rows.reduce(0) { $0 + $1.count })
        }
        let worst = rows.max { ($0.count, $1.status) < ($1.count, $0.status) }
        guard let worst else { return nil }
        let what =
            Int(worst.status) == nil
            ? "had no response (\(worst.status))" : "ended with status \(worst.status)"
        return "\(Units.grouped(worst.count)) attempts \(what)"
    }
}
