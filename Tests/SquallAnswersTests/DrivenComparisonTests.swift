import SquallBackend
import SquallFormat
import SquallKernel
@testable import SquallAnswers
@testable import SquallLab
import SquallReport
import Testing

@testable import SquallProof

@Suite("A driven run beside simulations of its profile", .serialized)
struct DrivenComparisonTests {
    @Test("In front of a server that is as the profile says, no figure differs significantly")
    func agrees() throws {
        let answer = try Self.answer(server: [])
        #expect(answer.corrections?.isEmpty == true)
        #expect(answer.differences.count { $0.disagrees } == 0)
        let sentence = answer.document.sentence
        #expect(sentence.hasPrefix("No significant difference in any of "))
        #expect(answer.notes.contains { $0.contains("server can tell: utilisation of the server") })
        let names = answer.differences.map(\.name)
        #expect(names.contains("request_duration{endpoint:posts} p(95)"))
        #expect(names.contains("concurrency avg") && names.contains("refreshes_per_expiry value"))
    }

    @Test(
        "The one setting that the server has otherwise is named, with its value",
        arguments: [
            (["backend.network.up=45ms"], "backend.network.up", "up and 3"),
            (["backend.server.refusalTime=500ms"], "backend.server.refusalTime", "own time, and"),
            (["backend.tokens.accessLifetime=2s"], "backend.tokens.accessLifetime", "and 2"),
            (
                [#"backend.server.serviceTimes.posts={"exponential":{"mean":"200ms"}}"#],
                "backend.server.serviceTimes.posts", "on average"
            ),
            (["backend.server.workers=2"], "backend.server.workers", "and 2 workers"),
        ])
    func corrected(server: [String], setting: String, words: String) throws {
        let answer = try Self.answer(server: server, running: Self.byLaw)
        let best = try #require(answer.corrections?.first)
        #expect(best.settings.first == setting && best.isTelling, "\(answer.corrections ?? [])")
        let advice = try #require(answer.advice.first)
        #expect(advice.hasPrefix("Correct \(setting)") && advice.contains(words), "\(advice)")
        let isNetwork = answer.differences.first?.name == "request_duration min"
        #expect(isNetwork == (setting == "backend.network.up"))
    }

    @Test("Workers are whole at every power, the profile's own at none, and at least one")
    func workers() throws {
        for count in [1, 6, 100] {
            let profile = try Self.profile(["backend.server.workers=\(count)"])
            let lever = try #require(
                ServerLever.ofDurations(profile, shortest: nil).first {
                    $0.settings == ["backend.server.workers"]
                })
            for power in stride(from: -lever.most, through: lever.most, by: 0.1) {
                let workers = lever.changed(profile, power).backend.server.workers
                let nearest = lever.nearest(power)
                #expect(lever.changed(profile, nearest).backend.server.workers == workers)
                #expect(workers >= 1 && (nearest == 0) == (workers == count))
            }
        }
    }

    @Test("A driven run is compared with the load that it had, and without faults and tokens")
    func beside() throws {
        let run = try Self.summary(Self.profile(["populations[0].users=7", "duration=9s"]))
        let profile = try Self.profile([
            "populations[0].startsSignedIn=true",
            #"backend.faults=[{"kind":"expireAllTokens","at":"8s"}]"#,
        ]).besideDriven(run)
        #expect(profile.users == 7 && profile.durationNanoseconds == 9_000_000_000)
        #expect(profile.backend.faults.isEmpty && !profile.populations[0].startsSignedIn)
        #expect(profile.backend.network == (try Self.profile([])).backend.network)
    }

    @Test("One event where simulations have none is not significant, and ten are")
    func events() throws {
        func difference(_ count: Double) throws -> PairedDifference {
            var a = ComparisonSide(
                "driven", seeds: [1],
                figures: [
                    FigureSeries(name: "step_failed rate", unit: .share, values: [count / 24]),
                    FigureSeries(name: "step_failed count", unit: .count, values: [count]),
                ]
            )
            a.driven = try Self.summary(Self.profile([]))
            let b = ComparisonSide(
                "simulated", seeds: [1, 2, 3],
                figures: [
                    FigureSeries(name: "step_failed rate", unit: .share, values: [0, 0, 0]),
                    FigureSeries(name: "step_failed count", unit: .count, values: [0, 0, 0]),
                ])
            return try #require(
                ComparisonAnswer.pairs(a, b, b.seeds).first { $0.name == "step_failed rate" })
        }
        let one = try difference(1)
        #expect(one.probability == 0.5 && one.difference.halfWidth == nil)
        #expect(one.decision == .notSignificant)
        #expect(try difference(10).probability ?? 1 < 0.001)
    }

    @Test("A shortest request is sure without spread, and its way on one machine is no difference")
    func shortest() throws {
        func decision(simulated: Double) throws -> PairedDifference.Decision {
            let name = "request_duration min"
            var run = try Self.summary(Self.profile([]))
            run.generator = Self.generator(LatencySummary(of: .trend(Histogram())))
            var a = ComparisonSide(
                "driven", seeds: [1],
                figures: [FigureSeries(name: name, unit: .nanoseconds, values: [200_000])])
            a.driven = run
            let b = ComparisonSide(
                "simulated", seeds: [1, 2, 3],
                figures: [
                    FigureSeries(
                        name: name, unit: .nanoseconds, values: [simulated, simulated, simulated])
                ])
            return try #require(ComparisonAnswer.pairs(a, b, b.seeds).first).decision
        }
        #expect(try decision(simulated: 50e6) == .differs)
        #expect(try decision(simulated: 2e6) == .withinTolerance)
    }

    @Test("Lateness of the load generator and 2 % are no difference of the server")
    func tolerance() throws {
        var summary = try Self.summary(Self.profile([]))
        let late = LatencySummary(of: .trend(histogram(of: 3_000_000)))
        summary.generator = Self.generator(late)
        let side = ComparisonSide("driven", summary)
        let ms = 1_000_000.0
        let bounds = 2.9 * ms + 2 * ms...3.1 * ms + 2 * ms
        #expect(bounds.contains(side.tolerance(of: "request_duration p(95)", simulated: 100 * ms)))
        #expect(side.tolerance(of: "refreshes count", simulated: 100) == 2)
    }
}

extension DrivenComparisonTests {
    /// A profile's simulations beside a run in front of a server with other settings, which a
    /// simulation stands for.
    private static func answer(
        server: [String], running run: @escaping @Sendable (Profile) throws -> RunResult = played
    ) throws -> ComparisonAnswer {
        let runs = run
        var run = try runs(profile(server + ["seed=5"])).summary
        run.generator = generator(LatencySummary(of: .trend(Histogram())))
        run.server = nil
        let side = ComparisonSide("driven", run)
        let experiment = try Experiment("simulated") { _ in (try profile([]), JSONNode(.null)) }
        let replicator = Replicator(build: "test", threads: 1, store: nil) { profile, _, _ in
            try runs(profile)
        }
        return try ComparisonAnswer.ofDriven(
            side, "simulated", experiment, seeds: 5, gates: [], replay: "", replicator)
    }

    private static func profile(_ settings: [String]) throws -> Profile {
        try Profile.read(
            Array(text.utf8), file: "test", vocabulary: .installed,
            overrides: settings.compactMap { ProfileOverride(setting: $0) })
    }

    private static func summary(_ profile: Profile) throws -> RunSummary {
        try played(profile).summary
    }

    @Sendable
    private static func played(_ profile: Profile) throws -> RunResult {
        try LoadRun(profile: profile, named: "", options: .init(replayCommand: ""))
            .run { _ in .continue }
    }

    /// A run by a formula: exponential service, more of it the busier the workers are, and a
    /// refusal and a refresh whenever a token is over.
    @Sendable
    private static func byLaw(_ profile: Profile) throws -> RunResult {
        let server = BackendPlan(profile).server
        let network = profile.backend.network.up.mean + profile.backend.network.down.mean
        let draws = RandomStream(seed: profile.seed)
        let service = Dictionary(
            uniqueKeysWithValues: ["posts", "notes", "refresh"].map { name in
                (name, (server.serviceTimes[name] ?? server.serviceTime).mean)
            })
        let busy = min(
            0.95,
            service.values.reduce(0, +) * Double(profile.users) / 1.3e9
                / Double(server.workers))
        let wait = service.values.reduce(0, +) / Double(server.workers) * busy / (1 - busy)
        let expiries =
            1_000 * Int64(clamped: 5e9) / profile.backend.tokens.accessLifetimeNanoseconds
        var metrics = Metrics()
        func add(_ endpoint: String, _ status: String, _ count: Int64, taking mean: Double) {
            let tags: [TagKey: String] = [.endpoint: endpoint, .status: status]
            let duration = metrics.trend(MetricKey(.requestDuration, tags))
            for number in 0..<count {
                let unit = draws.stream(named: endpoint + status).unit(at: UInt64(number))
                let own = -PortableMath.log(1 - unit) * (mean + wait) + network
                metrics.record(Int64(own), in: duration)
            }
            metrics.add(count, to: metrics.counter(MetricKey(.requests, tags)))
        }
        for name in ["posts", "notes"] {
            add(name, "200", 1_000, taking: service[name] ?? 0)
            add(name, "401", expiries, taking: server.refusalTime?.mean ?? service[name] ?? 0)
        }
        add("refresh", "200", expiries, taking: service["refresh"] ?? 0)
        let end = profile.durationNanoseconds
        var summary = RunSummary(of: metrics, untilNanoseconds: end)
        (summary.seed, summary.users) = (profile.seed, profile.users)
        let course = Course()
        return RunResult(
            output: RunOutput(
                summary: summary.judged(), metrics: metrics,
                timeseries: course.series(until: end), latencies: course.latencies.log,
                evidence: []),
            requests: 2_000)
    }

    private static func generator(_ late: LatencySummary) -> GeneratorView {
        GeneratorView(
            target: "", sent: 1, lateness: late, processorShare: 0, busiestSecond: 1, rateLimit: 1,
            throttled: 0, connectionsMost: 1, connectionsMade: 1, withoutDescriptor: 0)
    }

    private func histogram(of nanoseconds: Int64) -> Histogram {
        var histogram = Histogram()
        histogram.record(nanoseconds)
        return histogram
    }

    private static let text = """
        { "schemaVersion": 1, "duration": "12s", "drain": "5s",
          "populations": [{ "app": "mine", "users": 8, "journeys": { "read": 1 },
            "thinkTime": { "exponential": { "mean": "800ms" } }, "away": "500ms",
            "arriveOver": "1s", "startsSignedIn": false }],
          "apps": [{ "name": "mine", "tokens": {},
            "screens": [{ "name": "home", "calls": [["posts", "notes"]] }],
            "journeys": [{ "name": "read", "steps": ["home"] }] }],
          "backend": { "tokens": { "accessLifetime": "5s" },
            "network": { "up": "15ms", "down": "15ms" },
            "server": { "workers": 3, "serviceTime": { "exponential": { "mean": "40ms" } },
              "serviceTimes": { "posts": { "exponential": { "mean": "50ms" } } } },
            "service": { "endpoints": [
              { "name": "posts", "path": "/posts" }, { "name": "notes", "path": "/notes" }] } } }
        """
}
