@testable import SquallReport

extension SavedRun {
    /// A run of ten seconds with something in every panel.
    static func sample(endpoint: String = "GET /episodes") throws -> SavedRun {
        var recorder = LatencyRecorder(
            tags: ["step_duration", "request_duration"], intervalNanoseconds: 1_000_000_000)
        for moment in 0..<1_000 {
            recorder.record(
                Int64(1 + moment % 97) * 3_000_000, inTag: moment % 2,
                atNanoseconds: Int64(moment) * 10_000_000)
        }
        return SavedRun(
            summary: try .sample(endpoint: endpoint) { $0.fill(endpoint: endpoint) },
            timeseries: TimeTable(series(), recorder.log), latencies: recorder.log)
    }

    static func series() -> TimeSeries {
        var series = TimeSeries(
            columns: TimelineColumn.builtIn, intervalNanoseconds: 1_000_000_000)
        for row in 0..<10 {
            for (position, column) in TimelineColumn.builtIn.enumerated() {
                series.count(
                    column, Int64((row + 1) * (position + 1)), at: Int64(row) * 1_000_000_000)
            }
        }
        return series
    }
}

extension RunSummary {
    /// Adds something to every view, and a value to every member somewhere.
    mutating func fill(endpoint: String = "GET /episodes", driven: Bool = false) {
        if driven { generator = .sample() }
        journeys = [
            JourneyRow(
                population: "readers", app: "scrolly", design: "asBuilt", journey: "read",
                begun: 40, targetShare: 1)
        ]
        load = [.sample]
        assumed = [AssumedRow("backend.server.workers", "4", effect: "saturation", change: 0.05)]
        refreshes = .sample
        retries = .sample(endpoint: endpoint)
        populations = [
            .sample(name: endpoint, recoveries: [2_000_000_000, nil]),
            .sample(name: "b", recoveries: [1_500_000_000, 0]),
            .sample(name: "c", recoveries: []),
        ]
        pairs = [.sample]
        server = .sample(endpoint: endpoint)
        audits = [
            AuditRow(
                population: endpoint, app: "shareD", design: "asBuilt", kind: "purchase.twice",
                description: "purchases paid for twice", count: 3, example: "user 7, buy")
        ]
        readings = [.sample("cursor")]
        examples = [.sample(endpoint: endpoint)]
        stepFailures = [.sample(endpoint: endpoint)]
        attemptFailures = [.sample(endpoint: endpoint)]
        settling = [
            SettlingRow(series: "steps_running", .settled, afterNanoseconds: 3_000_000_000),
            SettlingRow(series: "refreshes", .never),
        ]
        faults = [.sample(recoveredAfter: nil), .sample(recoveredAfter: 1_000_000_000)]
        expiredStatuses = ["419"]
    }
}

extension LoadRow {
    static var sample: LoadRow {
        var (visits, steps, delays) = (Visits(), Steps(), Histogram())
        (visits.offered, visits.begun, visits.waiting, visits.ended) = (1_000, 652, 348, 650)
        (steps.begun, steps.done, steps.failed, steps.idle) = (2_000, 1_900, 60, 40)
        delays.record(32_000_000_000)
        return LoadRow(
            population: "a", app: "scrolly", visits: visits, steps: steps,
            delay: LatencySummary(delays), delayedShare: 0.348)
    }
}

extension PairRow {
    static var sample: PairRow {
        PairRow(
            population: "b", comparedWith: "a", users: 3,
            differences: PairRow.Quantity.allCases.map { Difference($0, of: [-3, -1, -2]) })
    }
}

extension ExampleRow {
    static func sample(endpoint: String) -> ExampleRow {
        ExampleRow(
            population: endpoint, kind: "storm", user: 7, journey: "read", step: "episode",
            outcome: "rendered", startNanoseconds: 5_000_000_000, endNanoseconds: 6_000_000_000,
            attempts: [
                Attempt(
                    request: 1, ordinal: 0, refreshFor: nil, endpoint: endpoint, outcome: "419",
                    isSuccess: false, isExpired: true, token: 0, startNanoseconds: 5_000_000_000,
                    sentNanoseconds: 5_000_000_000, endNanoseconds: 5_100_000_000),
                Attempt(
                    request: 2, ordinal: 0, refreshFor: 1, endpoint: "refresh", outcome: "200",
                    isSuccess: true, isExpired: false, token: 0, startNanoseconds: 5_100_000_000,
                    sentNanoseconds: 5_150_000_000, endNanoseconds: 5_300_000_000),
            ])
    }
}

extension StepFailureRow {
    static func sample(
        population: String = "readers", endpoint: String = "episode", outcome: String = "toast.x"
    ) -> StepFailureRow {
        StepFailureRow(
            population: population, journey: "read", step: "episode", outcome: outcome,
            endpoint: endpoint, status: "503", count: 12, user: 7, atNanoseconds: 61_000_000_000)
    }
}

extension AttemptFailureRow {
    static func sample(endpoint: String = "episode") -> AttemptFailureRow {
        AttemptFailureRow(
            population: "readers", endpoint: endpoint, path: "GET /v1/posts/{post_id}",
            status: "503", count: 30, user: 7, atNanoseconds: 60_000_000_000)
    }
}

extension FaultRow {
    static func sample(recoveredAfter span: Int64?) -> FaultRow {
        let recovery = span.map { Recovery.after(nanoseconds: $0) } ?? .never
        return FaultRow(
            name: "expireAllTokens", startNanoseconds: 5_000_000_000,
            endNanoseconds: 5_000_000_000, goodputBefore: 9, goodputLowest: 4, goodputAfter: 9,
            recovery: recovery,
            backlog: Backlog(
                before: 2, largest: 3, longestWaitNanoseconds: 1_000_000_000, leftRange: false,
                recovery: recovery))
    }
}

extension RefreshPeak {
    static let sample = RefreshPeak(
        startNanoseconds: 5_000_000_000, peakNanoseconds: 6_000_000_000,
        endNanoseconds: 8_000_000_000, refreshes: 90, peakPerSecond: 40, held: 3, sessionsLost: 1,
        recovery: .after(nanoseconds: 4_000_000_000))
}

extension RefreshView {
    static var sample: RefreshView {
        var held = Histogram()
        held.record(70_000_000)
        let counts = Counts(
            expiries: 25, promptedRefreshes: 90, redundantRefreshes: 65, unpromptedRefreshes: 2)
        return RefreshView(
            counts: counts, refreshesPerExpiry: counts.perExpiry,
            singleFlightEfficiency: counts.efficiency, meanRefreshesPerSecond: 9,
            peakRefreshesPerSecond: 40, peakOverMean: 40.0 / 9,
            held: Held(requests: 12, maxConcurrent: 3, waitNanoseconds: LatencySummary(held)),
            sessionsLost: [SessionLoss(cause: "refresh 418", count: 1)], peaks: [.sample])
    }
}

extension RetryView {
    static func sample(endpoint: String) -> RetryView {
        RetryView(
            tree: AttemptTree("attempts", [AttemptTree(endpoint, attempts: 5)]),
            requestsByAttempts: [5], attempts: [Ratio(part: 4, whole: 5)], failedRequests: 1,
            wastedAttempts: 1, budget: Ratio(part: 3, whole: 12))
    }
}

extension GeneratorView {
    static func sample(
        lateNanoseconds: Int64 = 2_000_000, sent: Int64 = 90, processor: Double = 0.25,
        throttled: Int64 = 0, withoutDescriptor: Int64 = 0, sentAgain: Int64 = 0
    ) -> GeneratorView {
        var late = Histogram()
        late.record(lateNanoseconds)
        return GeneratorView(
            target: "http://127.0.0.1:8080", sent: sent, lateness: LatencySummary(late),
            processorShare: processor, busiestSecond: 40, rateLimit: 1_000, throttled: throttled,
            connectionsMost: 12, connectionsMade: 14, withoutDescriptor: withoutDescriptor,
            sentAgain: sentAgain, notJudged: ["server_wait p(95)<1s"],
            unexpected: [
                UnexpectedResponse(
                    .refusal, endpoint: "posts", response: "401 {}", expected: "419 {}",
                    advice: "Say so.")
            ])
    }
}

extension ServerView {
    static func sample(endpoint: String) -> ServerView {
        ServerView(
            workers: 4, utilisation: 0.5, meanBusy: 2, meanQueue: 0.4, longestQueue: 9,
            received: 100, replied: 95, abandoned: 4, wait: LatencySummary(Histogram()),
            queues: [
                Queue(
                    endpoint: endpoint, served: 90, meanWaitNanoseconds: 2_000_000,
                    longestWaitNanoseconds: 9_000_000, longestQueue: 9, rejected: 2,
                    abandoned: 4)
            ],
            pools: [
                Pool(
                    name: "", utilisation: 0.6, meanWorkers: 3, meanQueue: 0.4, longestQueue: 9),
                Pool(
                    name: endpoint, utilisation: 0.2, meanWorkers: 1, meanQueue: 0,
                    longestQueue: 1),
            ],
            database: Database(
                connections: 3, meanBusy: 1.2, meanQueue: 0.3, longestQueue: 4, queries: 89,
                rows: 1_700, wait: LatencySummary(Histogram())))
    }
}

extension PopulationRow {
    static func sample(name: String, recoveries: [Int64?]) -> PopulationRow {
        var counts = Counts()
        (counts.expiries, counts.promptedRefreshes, counts.redundantRefreshes) = (10, 36, 26)
        return PopulationRow(
            name: name, app: "scrolly", design: "asBuilt", users: 10, counts: counts,
            peakRefreshesPerSecond: 7, peaks: [.sample],
            faults: recoveries.map(FaultRow.sample))
    }
}
