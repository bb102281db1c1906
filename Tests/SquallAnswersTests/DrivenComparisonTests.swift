import SquallBackend
import SquallFormat
@testable import SquallAnswers
@testable import SquallLab
import SquallReport
import Synchronization
import Testing

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
            (["backend.network.up=45ms"], "backend.network.up", "up and"),
            (["backend.server.refusalTime=500ms"], "backend.server.refusalTime", "own time, and"),
            (["backend.tokens.accessLifetime=2s"], "backend.tokens.accessLifetime", "fits best"),
            (
                [#"backend.server.serviceTimes.posts={"exponential":{"mean":"200ms"}}"#],
                "backend.server.serviceTimes.posts", "on average"
            ),
        ])
    func corrected(server: [String], setting: String, words: String) throws {
        let answer = try Self.answer(server: server)
        let best = try #require(answer.corrections?.first)
        #expect(best.settings.first == setting && best.isTelling, "\(answer.corrections ?? [])")
        let advice = try #require(answer.advice.first)
        #expect(advice.hasPrefix("Correct \(setting)") && advice.contains(words))
    }

    @Test("Workers are tried by whole numbers: each near the profile's, and others further off")
    func workers() throws {
        let profile = try Self.profile(["backend.server.workers=6"])
        let levers = ServerLever.ofDurations(profile)
        let lever = try #require(levers.first { $0.settings == ["backend.server.workers"] })
        let counts = lever.powers.map { lever.changed(profile, $0).backend.server.workers }
        #expect(counts == counts.sorted() && Set(counts).count == counts.count)
        #expect(counts.first == 1 && Set(counts).isSuperset(of: [3, 4, 5, 7, 8, 9]))
        #expect(!counts.contains(6) && counts.contains { $0 > 12 })
        #expect(lever.lastStep == 1 && lever.firstStep(at: 14) >= 1)
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
            let a = ComparisonSide(
                "driven", seeds: [1],
                figures: [
                    FigureSeries(name: "step_failed rate", unit: .share, values: [count / 24]),
                    FigureSeries(name: "step_failed count", unit: .count, values: [count]),
                ]
            ).asDriven(try Self.summary(Self.profile([])))
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
    private static func answer(server: [String]) throws -> ComparisonAnswer {
        var run = try summary(profile(server + ["seed=5"]))
        run.generator = generator(LatencySummary(of: .trend(Histogram())))
        run.server = nil
        let side = ComparisonSide("driven", run)
        let experiment = try Experiment("simulated") { _ in (try profile([]), JSONNode(.null)) }
        let replicator = Replicator(build: "test", threads: 1, store: nil) { profile, _, _ in
            try played(profile)
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

    /// Runs by their profiles: every search tries the same values first, whatever the server is.
    private static let runs = Mutex([String: RunResult]())

    private static func played(_ profile: Profile) throws -> RunResult {
        let key = ReplicationTask(profile, number: 0, build: "").key
        if let known = runs.withLock({ $0[key] }) { return known }
        let result = try LoadRun(profile: profile, named: "", options: .init(replayCommand: ""))
            .run { _ in .continue }
        runs.withLock { $0[key] = result }
        return result
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
