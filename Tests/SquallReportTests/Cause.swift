import Testing

@testable import SquallReport

/// What was measured beside a broken expectation of a metric, and the clause that says why.
struct Cause: Sendable, CustomTestStringConvertible {
    enum Seen: Sendable {
        case nothingObserved, hang, sessionsLost, failures, unanswered
        case server(Double), database(Double), pools([(String, Double, Int64)])
        case line(milliseconds: Int64), waits(connection: Int64, wire: Int64)
        case faults([Recovery]), storm(redundant: Int64, of: Int64)
    }

    static let none = "no likely cause was found, and no measured resource was saturated"

    let metric: String
    let seen: [Seen]
    let clause: String

    init(_ metric: String, _ seen: [Seen], _ clause: String) {
        (self.metric, self.seen, self.clause) = (metric, seen, clause)
    }

    var testDescription: String { "\(metric): \(clause)" }

    var summary: RunSummary {
        var (metrics, hangs, wait) = (Metrics(), HangList(), Histogram())
        var (steps, calls): ([StepFailureRow], [AttemptFailureRow]) = ([], [])
        var (populations, faults): ([PopulationRow], [FaultRow]) = ([], [])
        var busy: (server: Double, database: Double?)?
        var pools: [ServerView.Pool] = []
        for thing in seen {
            switch thing {
            case .nothingObserved: break
            case .hang: hangs.append(.sample(user: 1))
            case .sessionsLost:
                steps =
                    [
                        ("", "", 9), ("refresh", "503", 3), ("refresh", "401", 4), ("z", "401", 4),
                    ].map {
                        .made("readers", "loggedOut", endpoint: $0.0, status: $0.1, count: $0.2)
                    } + [.made("readers", "toast", endpoint: "a", status: "500", count: 8)]
            case .failures:
                calls = [("503", 12), ("500", 19), ("503", 8)].map {
                    .made("readers", status: $0.0, count: $0.1)
                }
            case .unanswered: calls = [.made("readers", status: "timeout", count: 3)]
            case .server(let share): busy = (share, busy?.database)
            case .database(let level): busy?.database = level
            case .pools(let named):
                pools = named.map {
                    .init(
                        name: $0.0, utilisation: $0.1, meanWorkers: 1, meanQueue: 1,
                        longestQueue: $0.2)
                }
            case .line(let milliseconds): wait.record(milliseconds * 1_000_000)
            case .waits(let connection, let wire):
                for (key, span) in [(Metric.connectionWait, connection), (.requestDuration, wire)] {
                    metrics.record(span * 1_000_000, in: metrics.trend(MetricKey(key)))
                }
            case .faults(let recoveries):
                faults = recoveries.enumerated().map { .made($0 + 1, $1) }
            case .storm(let redundant, let attempts):
                var counts = PopulationRow.Counts()
                (counts.expiries, counts.redundantRefreshes) = (1, redundant)
                populations = [.made("readers", counts)]
                metrics.add(attempts, to: metrics.counter(MetricKey(.requests)))
            }
        }
        return RunSummary.made(metrics) {
            $0.populations = populations
            $0.server = busy.map { .made(busy: $0.server, pools, database: $0.database, wait) }
            ($0.stepFailures, $0.attemptFailures) = (steps, calls)
            ($0.faults, $0.hangs) = (faults, hangs)
        }
    }
}

extension ServerView {
    static func made(
        busy: Double, _ pools: [Pool], database: Double?, _ wait: Histogram
    ) -> ServerView {
        ServerView(
            workers: 4, utilisation: busy, meanBusy: 4 * busy, meanQueue: 1, longestQueue: 9,
            received: 100, replied: 95, abandoned: 4, wait: LatencySummary(wait),
            queues: [
                Queue(
                    endpoint: "a", served: 90, meanWaitNanoseconds: 2, longestWaitNanoseconds: 9,
                    longestQueue: 9, rejected: 2, abandoned: 4)
            ], pools: pools,
            database: database.map {
                Database(
                    connections: 3, meanBusy: $0, meanQueue: 1, longestQueue: 4, queries: 9,
                    rows: 9, wait: LatencySummary(Histogram()))
            })
    }
}

extension PopulationRow {
    static func made(
        _ name: String, _ counts: Counts, app: String = "a", design: String = "asBuilt",
        _ recoveries: [Recovery] = []
    ) -> PopulationRow {
        PopulationRow(
            name: name, app: app, design: design, users: 9, counts: counts,
            peakRefreshesPerSecond: 12.3, peaks: [],
            faults: recoveries.enumerated().map { .made($0 + 1, $1) })
    }
}

extension FaultRow {
    static func made(_ number: Int, _ recovery: Recovery) -> FaultRow {
        FaultRow(
            name: "fault\(number)", startNanoseconds: 1_000_000_000, endNanoseconds: 3_000_000_000,
            goodputBefore: number == 1 ? 9.5 : nil, goodputAfter: 1, recovery: recovery)
    }
}

extension LoadRow {
    static func made(_ population: String, late: Double?) -> LoadRow {
        var visits = Visits()
        (visits.offered, visits.waitingBefore, visits.begun) = (900, 100, 1_000)
        return LoadRow(
            population: population, app: "a", visits: visits, steps: Steps(),
            delay: LatencySummary(Histogram()), delayedShare: late)
    }
}

extension ExampleRow {
    static func made(_ kind: String, of population: String) -> ExampleRow {
        ExampleRow(
            population: population, kind: kind, user: 7, journey: "read", step: "episode",
            outcome: "rendered", startNanoseconds: 5, endNanoseconds: 6, attempts: [])
    }
}

extension StepFailureRow {
    static func made(
        _ population: String, _ outcome: String, endpoint: String, status: String, count: Int64
    ) -> StepFailureRow {
        StepFailureRow(
            population: population, journey: "read", step: "episode", outcome: outcome,
            endpoint: endpoint, status: status, count: count, user: 7,
            atNanoseconds: 61_000_000_000)
    }
}

extension AttemptFailureRow {
    static func made(
        _ population: String, _ endpoint: String = "posts", status: String, count: Int64
    ) -> AttemptFailureRow {
        AttemptFailureRow(
            population: population, endpoint: endpoint, path: "GET /posts", status: status,
            count: count, user: 7, atNanoseconds: 60_000_000_000)
    }
}
