import SquallBackend
import SquallFormat
import SquallKernel
import SquallReport

/// Turns a world's recorder into a summary, and checks the world against its own laws.
struct SummaryBuilder {
    /// The run, which is over.
    let loop: RunLoop
    /// The profile's name, and the command that repeats the run.
    let name, replayCommand: String
    /// The check for the end of the warm-up, where a rule found it; `nil` when none was asked.
    let warmUp: SelfCheck?
    /// The state of the load generator; `nil` when the server was simulated.
    let generator: GeneratorView?

    var profile: Profile { loop.profile }
    var world: World { loop.world }
    /// The end of the warm-up.
    var measuredFrom: Int64 { profile.warmUpNanoseconds }
    /// The end of the load, and of the time for rates and means.
    var measuredUntil: Int64 { loop.loadEnd ?? now }

    /// The run's output before it is judged; it keeps nothing of the world.
    var output: RunOutput {
        var metrics = world.recorder.metrics
        AuditRun(world: world).count(
            since: Instant(nanoseconds: measuredFrom), in: &metrics)
        for (tally, population) in zip(world.recorder.load, world.recorder.run.populations) {
            LoadListener.countUnderWay(tally, of: population, in: &metrics)
        }
        let audits = audits(countedIn: &metrics)
        let isDriven = generator != nil
        return RunOutput(
            summary: summary(metrics, audits), metrics: metrics,
            timeseries: world.recorder.timeline.whole
                .without(isDriven ? TimelineColumn.ofServer : []),
            latencies: world.recorder.latencies.log.merged(
                with: world.recorder.endpointLatencies.log),
            trace: world.recorder.trace, evidence: loop.watch.evidence(at: now, metrics),
            writesOpenMetrics: profile.writesOpenMetrics)
    }

    /// The summary of all measurements, before thresholds judge them.
    private func summary(_ metrics: Metrics, _ audits: [AuditRow]) -> RunSummary {
        var summary = RunSummary(
            of: metrics, fromNanoseconds: measuredFrom, untilNanoseconds: measuredUntil)
        summary.profile = name
        summary.question = profile.question
        summary.seed = profile.seed
        summary.users = profile.users
        summary.replay = replayCommand
        summary.digest = RunDigest(world.simulation.digest.value)
        summary.virtualNanoseconds = now
        summary.thresholds = loop.watch.results(at: now, metrics)
        summary.selfChecks = selfChecks
        summary.findings = findings
        summary.assumptions = assumptions
        summary.journeys = profile.journeys(
            metrics, begun: world.recorder.load.map(\.measuredVisits.begun))
        summary.audits = audits
        summary.settling = settling
        addTables(of: world.recorder, metrics, to: &summary)
        summary.assumed = AssumedEffects(profile, summary).rows
        return summary
    }

    private func addTables(
        of recorder: Recorder, _ metrics: Metrics, to summary: inout RunSummary
    ) {
        let timeline = recorder.timeline
        let (whole, parts) = (peaks(in: timeline.whole), timeline.parts.map(peaks))
        let populations = parts.indices.map { population($0, metrics, parts[$0]) }
        summary.load = loads
        let ledger = recorder.requests
        summary.refreshes = RefreshView(
            of: metrics, overNanoseconds: summary.measuredNanoseconds, by: populations,
            held: RefreshView.Held(ledger.heldRequests, atOnce: ledger.heldAtOnce, metrics),
            peak: whole.peakPerSecond, peaks: whole.peaks(recoveringAs: parts))
        summary.retries = retryView
        summary.server = generator == nil ? serverView : nil
        summary.generator = generator
        summary.populations = populations
        summary.pairs = recorder.pairs
        summary.readings = recorder.readings.rows(of: recorder.run.populations)
        summary.examples = recorder.examples.found
        (summary.stepFailures, summary.attemptFailures) = recorder.found(by: FailureListener.self)
        summary.faults = faults(in: whole).enumerated().map { index, fault in
            fault.recovered(as: populations.map { $0.faults[index] })
        }
        summary.expiredStatuses = recorder.expiryChance.statuses.sorted()
        summary.hangs = recorder.hangs
    }

    /// The moment from which on each threshold's metrics were steady.
    private var settling: [SettlingRow] {
        WarmUpEnds(
            of: world.recorder.timeline.whole, world.recorder.latencies.log,
            measuredFrom: measuredFrom, until: measuredUntil,
            thresholds: profile.thresholds
        ).rows
    }

    private var loads: [LoadRow] {
        zip(world.recorder.load, world.recorder.run.populations).map {
            $0.row(of: $1, world.recorder.metrics)
        }
    }

    var now: Int64 { world.simulation.now.nanoseconds }

    /// The laws that hold in every run, even with a bad client.
    private var selfChecks: [SelfCheck] {
        let totals = world.recorder.totals
        let counters = world.backend.counters
        let waiting = counters.handedOver - counters.answered - counters.unanswered
        let endedInAll = world.recorder.requests.endedInAll
        let inTree = retryView.tree.attempts
        let measured = world.recorder.metrics.totalCount(of: MetricKey(.requests))
        let byCause = totals.firstAttempts + totals.retries + totals.refreshes
        let number = { (count: Int64) in Units.grouped(count) }
        let laws = [
            SelfCheck(
                name: "client and backend saw the same attempts",
                ok: totals.attemptsSent == counters.handedOver,
                detail: "\(number(totals.attemptsSent)) sent,"
                    + " \(number(counters.handedOver)) handed over"),
            SelfCheck(
                name: "the end of every attempt was reported to the client",
                ok: loop.isCutShort
                    ? totals.exchangesEnded >= totals.attemptsEnded
                    : totals.exchangesEnded == totals.attemptsEnded,
                detail: "\(number(totals.exchangesEnded)) ended,"
                    + " \(number(totals.attemptsEnded)) reported"
                    + (loop.isCutShort ? ", stopped within an instant" : "")),
            SelfCheck(
                name: "every attempt has one cause",
                ok: byCause == totals.attemptsSent,
                detail: "\(number(totals.firstAttempts)) first, \(number(totals.retries)) retries, "
                    + "\(number(totals.refreshes)) refreshes"),
            SelfCheck(
                name: "the tree of causes holds every attempt",
                ok: inTree == measured && endedInAll + waiting == totals.attemptsSent,
                detail: "\(number(inTree)) in the tree, \(number(measured)) measured; "
                    + "\(number(endedInAll)) ended in all, \(number(waiting)) under way"),
        ]
        let balances = (world.backend.conservationLaws + world.measurementLaws).map { law in
            SelfCheck(name: law.name, ok: law.holds, detail: law.detail)
        }
        return laws + balances + [littlesLaw] + (warmUp.map { [$0] } ?? [])
    }

    private var assumptions: [String] {
        generator.map { drivenAssumptions(of: $0) } ?? simulatedAssumptions
    }

    private func drivenAssumptions(of generator: GeneratorView) -> [String] {
        [
            "A real server at \(generator.target) answered in real time: network, server and tokens"
                + " are its own.",
            "Decoding and client code take the generator's time.",
            "Each user has \(profile.backend.network.connectionsPerHost) connections; requests"
                + " wait their turn in order. Redirects are not followed, and responses are asked"
                + " for without compression.",
        ]
    }

    private var simulatedAssumptions: [String] {
        let server = profile.backend.server
        let network = profile.backend.network
        return [
            "Client work and decoding take no virtual time.",
            "The server has \(Units.counted(server.workers, "worker")) and"
                + " \(server.serving.words) of \(Units.grouped(Int64(server.queueLimit))) places;"
                + " state changes when a worker is done.",
            (network.connections == nil
                ? "Each user has \(network.connectionsPerHost) connections"
                : "Connections are set up and end as backend.network.connections says")
                + "; requests wait their turn in order. "
                + (network.bandwidthBytesPerSecond == nil
                    ? "The size of a response takes no time." : ""),
            profile.backend.tokens.refreshRevokesAccessTokens
                ? "A refresh ends older access tokens."
                : "Access tokens stay valid until they expire, also after a newer one was issued.",
        ]
    }
}

/// Parts of a summary that are worked out alike for a run and for the parts of a driven one.
extension Profile {
    /// The journeys that can begin, each with the share of all visits that its population's weights
    /// ask for, by the populations' actual visits.
    func journeys(_ metrics: Metrics, begun visits: [Int64]) -> [JourneyRow] {
        let all = visits.reduce(0, +)
        return zip(populations, visits).flatMap { population, begun in
            let weights = population.journeys.reduce(0.0) { $0 + $1.weight }
            return population.journeys.map { journey in
                let asked = Double(begun) * journey.weight / weights
                let key = MetricKey(
                    .journeys, [.population: population.name, .journey: journey.journey])
                return JourneyRow(
                    population: population.name, app: population.app, design: population.design,
                    journey: journey.journey, begun: metrics.totalCount(of: key),
                    targetShare: all > 0 ? asked / Double(all) : 0)
            }
        }
    }
}

extension ServingPlan {
    /// The order of the workers' line, in words.
    fileprivate var words: String {
        switch order {
        case .fifo: "one line"
        case .lifo: "one line, the newest first,"
        case .priority: "one line, the most important first,"
        }
    }
}
