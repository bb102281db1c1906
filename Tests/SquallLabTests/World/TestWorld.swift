import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

/// A world of an app's users, run to the end of its profile.
struct TestWorld {
    let world: World
    let metrics: Metrics

    /// Runs a world whose profile is completed with defaults.
    ///
    /// Everybody thinks exactly ten seconds, so that a token of a shorter life has always expired
    /// when a step begins.
    init(
        app: String = "scrolly", journeys: String, backend: String, initialTokens: String = "fresh",
        seed: Int = 1, users: Int = 20,
        caches: Bool = true, journal: ((String) -> Void)? = nil
    ) throws {
        let text = """
            { "schemaVersion": 1, "seed": \(seed), "duration": "4m",
              "populations": [{ "app": "\(app)", "users": \(users), "journeys": \(journeys),
                "thinkTime": "10s", "away": "20s", "arriveOver": "5s", "patience": "30s",
                "initialTokens": "\(initialTokens)" }],
              "backend": \(backend),
              "caches": { "encoding": \(caches), "decoding": \(caches) } }
            """
        let profile = try Profile.read(
            Array(text.utf8), file: "test", vocabulary: .installed)
        world = World(WorldPlan(profile))
        world.simulation.journal = journal
        for end in [profile.durationNanoseconds, profile.durationNanoseconds * 2] {
            _ = try world.simulation.run(until: Instant(nanoseconds: end))
            world.fleet.drain()
        }
        metrics = world.recorder.metrics
        world.tearDown()
    }

    /// Refreshes for every step of a name that began on an expired token.
    func refreshes(each step: String) -> Ratio {
        guard
            case .ratio(let ratio) = metrics.value(
                of: MetricKey(.refreshesPerExpiredStep, [.step: step]))
        else { return Ratio() }
        return ratio
    }

    /// Steps of a name that failed, of those that ended.
    func failed(_ step: String) -> Ratio {
        guard case .rate(let ratio) = metrics.value(of: MetricKey(.stepFailed, [.step: step]))
        else { return Ratio() }
        return ratio
    }

    /// A counter's sum over all series with these tags.
    func count(_ metric: Metric, _ tags: [TagKey: String] = [:]) -> Int64 {
        guard case .counter(let count) = metrics.value(of: MetricKey(metric, tags)) else {
            return 0
        }
        return count.all
    }
}
