import SquallBackend
import SquallFormat
import SquallReport

extension SummaryBuilder {
    var retryView: RetryView {
        let ledger = world.recorder.requests
        let counts = ledger.requestsByAttempts
        let kept = counts.prefix((counts.lastIndex { $0 > 0 } ?? -1) + 1)
        return RetryView(
            tree: ledger.tree, requestsByAttempts: Array(kept),
            attempts: zip(ledger.succeeded, ledger.ended).prefix { $0.1 > 0 }
                .map { Ratio(part: $0.0, whole: $0.1) },
            failedRequests: ledger.failedRequests,
            wastedAttempts: world.recorder.metrics.totalCount(of: MetricKey(.attemptsWasted)),
            budget: profile.populations.contains { $0.retries == .budgeted } ? ledger.budget : nil)
    }

    var serverView: ServerView {
        let (server, plan) = (world.backend.counters.server, profile.backend.server)
        return ServerView(
            workers: Int64(plan.serving.pools.reduce(plan.workers) { $0 + $1.workers }),
            utilisation: server.workers.utilisation(at: now),
            meanBusy: server.workers.busy.mean(at: now),
            meanQueue: server.workers.waiting.mean(at: now),
            longestQueue: server.workers.waiting.highest, received: server.received,
            replied: server.replied, abandoned: server.abandoned, wait: waits(.serverWait),
            queues: queues(server), pools: pools(server), database: database(server))
    }

    private func waits(_ metric: Metric) -> LatencySummary {
        LatencySummary(of: world.recorder.metrics.value(of: MetricKey(metric)))
    }

    private func pools(_ server: ServerTally) -> [ServerView.Pool] {
        server.pools.map { pool in
            ServerView.Pool(
                name: pool.name, utilisation: pool.utilisation(at: now),
                meanWorkers: pool.present.mean(at: now), meanQueue: pool.waiting.mean(at: now),
                longestQueue: pool.waiting.highest)
        }
    }

    private func database(_ server: ServerTally) -> ServerView.Database? {
        guard let tally = server.database, let plan = profile.backend.server.serving.database
        else { return nil }
        return ServerView.Database(
            connections: Int64(plan.connections),
            meanBusy: tally.connections.busy.mean(at: now),
            meanQueue: tally.connections.waiting.mean(at: now),
            longestQueue: tally.connections.waiting.highest,
            queries: tally.queries, rows: tally.rows, wait: waits(.databaseWait))
    }

    private func queues(_ server: ServerTally) -> [ServerView.Queue] {
        server.lines.sorted { $0.endpoint.name < $1.endpoint.name }.map { endpoint, line in
            ServerView.Queue(
                endpoint: endpoint.name, served: line.served,
                meanWaitNanoseconds: line.taken > 0
                    ? Int64(line.waitNanoseconds / Int128(line.taken)) : nil,
                longestWaitNanoseconds: line.longestWaitNanoseconds,
                longestQueue: line.mostWaiting, rejected: line.rejected,
                abandoned: line.abandoned)
        }
    }

    /// L = λW for everything between the client's sending and its receipt.
    var littlesLaw: SelfCheck {
        let wire = world.recorder.wire
        let seconds = max(1e-9, Double(now) / 1e9)
        let mean = Double(wire.residence) / Double(max(1, wire.ended))
        return SelfCheck(
            name: "Little's law on the wire" + (wire.level == 0 ? ", to the nanosecond" : ""),
            ok: wire.obeysLittle(at: now),
            detail:
                "L = \(Units.threeDigits(Double(wire.area(at: now)) / 1e9 / seconds)) under way,"
                + " λ = \(Units.rate(perSecond: Double(wire.ended) / seconds)),"
                + " W = \(Units.approximate(nanoseconds: Int64(mean)))")
    }

    /// The audits' findings, also counted among the metrics.
    func audits(countedIn metrics: inout Metrics) -> [AuditRow] {
        var ledger = world.recorder.audits
        AuditRun(world: world).complete(&ledger)
        let populations = world.recorder.run.populations
        let rows = ledger.rows(of: populations)
        for population in populations {
            // A threshold on findings that never came finds a zero.
            _ = metrics.counter(MetricKey(.auditFindings, population.tags()))
        }
        for row in rows {
            let tags: [TagKey: String] = [
                .app: row.app, .cause: row.kind, .design: row.design,
                .population: row.population,
            ]
            metrics.add(row.count, ofLoadTo: metrics.counter(MetricKey(.auditFindings, tags)))
        }
        return rows
    }

    func population(_ index: Int, _ metrics: Metrics, _ peaks: PeakFinder) -> PopulationRow {
        let population = world.recorder.run.populations[index]
        return PopulationRow(
            name: population.name, app: population.app, design: population.design,
            users: Int64(population.users.count),
            counts: PopulationRow.Counts(
                of: metrics, in: population.name, longestLoop: world.recorder.longestLoops[index]),
            peakRefreshesPerSecond: peaks.peakPerSecond,
            peaks: peaks.ofOnePopulation, faults: faults(in: peaks))
    }

    /// Without the drain: no user begins a step then, so a lack of successful steps means nothing.
    func peaks(in timeline: TimeSeries) -> PeakFinder {
        var timeline = timeline
        timeline.extend(toNanoseconds: measuredUntil)
        return PeakFinder(timeline, measuredFrom: measuredFrom, until: measuredUntil)
    }

    func faults(in peaks: PeakFinder) -> [FaultRow] {
        let faults = profile.backend.faults.filter { $0.atNanoseconds <= now }
        // They struck in order of time, and in the profile's order at one moment.
        let inTime = faults.indices.ordered {
            (faults[$0].atNanoseconds, $0) < (faults[$1].atNanoseconds, $1)
        }
        let backlogs = Dictionary(uniqueKeysWithValues: zip(inTime, world.recorder.backlogs))
        return faults.enumerated().map { index, fault in
            peaks.fault(
                fault.kind, from: fault.atNanoseconds,
                until: fault.endNanoseconds(ofRunUntil: profile.durationNanoseconds),
                backlog: backlogs[index])
        }
    }
}

extension RequestLedger {
    /// Every attempt sent, by its cause.
    fileprivate var tree: AttemptTree {
        let leaf = { (cause: WireCause) in
            AttemptTree(cause.name, attempts: attempts[cause.rawValue])
        }
        return AttemptTree(
            "attempts",
            [
                leaf(.first),
                AttemptTree("retries", WireCause.retries.map(leaf)),
                AttemptTree("refreshes", WireCause.refreshes.map(leaf)),
            ])
    }
}
