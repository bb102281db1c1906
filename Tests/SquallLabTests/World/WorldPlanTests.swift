import SquallApps
import SquallBackend
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("A world from code")
struct WorldPlanTests {
    /// Three readers whose tokens last for five seconds.
    static func plan() throws -> WorldPlan {
        let app = try #require(AppRegistry.app(named: "scrolly"))
        var readers = PopulationPlan(app, users: 3, journeys: ["resume": 1])
        readers.settings.initialTokens = .expired
        readers.settings.thinkTime = .constant(nanoseconds: 10_000_000_000)
        readers.settings.away = .constant(nanoseconds: 1_000_000_000)
        readers.settings.arriveOverNanoseconds = 0
        var plan = WorldPlan(populations: [readers])
        plan.backend.tokens.accessLifetimeNanoseconds = 5_000_000_000
        return plan
    }

    @Test("A plan in plain values is enough: each of an episode's six calls with a body refreshes")
    func refreshes() throws {
        let world = World(try Self.plan())
        defer { world.tearDown() }
        try world.run(for: .seconds(60))
        let main = world.metrics.value(
            of: MetricKey(.refreshesPerExpiredStep, [.step: "episode"]))
        guard case .ratio(let ratio) = main else { return #expect(main != nil) }
        #expect(ratio.whole >= 3 && ratio.part == 6 * ratio.whole)
    }

    @Test("Two worlds of one profile run alike, also one that gives each picture a task")
    func profile() throws {
        let text = """
            { "schemaVersion": 1, "duration": "1m", "populations": [{ "app": "scrolly",
              "users": 10, "journeys": {"browse": 1}, "thinkTime": "2s" }] }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let worlds = try [false, false, true].map { recordsChoices in
            let world = World(WorldPlan(profile), recordsChoices: recordsChoices)
            defer { world.tearDown() }
            try world.run(for: .seconds(60))
            let metrics = world.metrics
            return (world.simulation.digest, metrics.keys.map { metrics.value(ofSeries: $0) })
        }
        #expect(worlds[0].0 == worlds[1].0 && worlds[0].0.events > 10)
        #expect(worlds[0].1 == worlds[1].1 && worlds[0].1 == worlds[2].1)
    }

    @Test("A scheduling policy decides ties, sees whose they are, and its choices replay")
    func policy() throws {
        func digest(_ policy: any SchedulingPolicy) throws -> (EventDigest, [UInt16]) {
            let world = World(try Self.plan(), policy: policy, recordsChoices: true)
            defer { world.tearDown() }
            try world.run(for: .seconds(60))
            return (world.simulation.digest, world.simulation.choices)
        }
        let (walk, choices) = try digest(RandomSchedule(seed: 5))
        let (replay, _) = try digest(ReplayedSchedule(choices))
        let (fifo, _) = try digest(FirstInFirstOut())
        #expect(walk == replay && walk != fifo && choices.contains { $0 > 0 })
    }

    @Test("Every task that could run in a world of users belongs to one of them")
    func owners() throws {
        let world = World(try Self.plan(), policy: Spectator())
        defer { world.tearDown() }
        try world.run(for: .seconds(30))
        let seen = (world.simulation.policy as? Spectator)?.seen ?? []
        #expect(Set(seen.map(\.user)) == [0, 1, 2])
        #expect(seen.contains { $0.label == "user acts" } && seen.contains { $0.kind == .task })
    }
}

/// Remembers everything that could run, and lets the first go on.
private struct Spectator: SchedulingPolicy {
    private(set) var seen: [ReadyEvent] = []

    mutating func choose(among ready: [ReadyEvent]) -> Int {
        seen += ready
        return 0
    }
}
