import SquallAnswers
import SquallApps
import SquallBackend
import SquallKernel
import SquallLab
import SquallRaces

/// The cost of exploring: schedules by the default mix of strategies.
extension Benchmark {
    static let schedules: [Benchmark] = [
        explored("races/schedule, 2 requests", SmallClient(requests: 2), 20_000),
        explored("races/schedule, 16 requests", SmallClient(requests: 16), 4_000),
        explored(
            "races/schedule, 16 requests, 2 threads", SmallClient(requests: 16), 6_000,
            threads: 2),
        explored("races/schedule, reference app", referenceApp, 1_000),
        explored("races/schedule, reference app, 2 threads", referenceApp, 1_500, threads: 2),
    ]

    /// The subject is made when it is explored: before that, the tool has no apps.
    private static func explored(
        _ name: String, _ subject: @autoclosure @escaping @Sendable () -> any RaceSubject,
        _ schedules: Int, threads: Int = 1
    ) -> Benchmark {
        Benchmark(
            name, about: "A world is built, played under a schedule of its own and judged."
        ) {
            let subject = subject()
            let plan = ExplorationPlan(
                schedules: schedules,
                windowNanoseconds: (subject as? RaceScenario)?.roundTripNanoseconds
                    ?? SmallClient.roundTripNanoseconds, threads: threads, shrinkingPlaysMax: 0)
            var found: Exploration?
            var result = try sample(schedules) { found = try Explorer(plan).explore(subject) }
            guard let found, found.findings.isEmpty else {
                preconditionFailure("\(name) has findings: \(found?.statement ?? "")")
            }
            result.note = "\(found.coverage.distinctViews) server views"
            return result
        }
    }

    /// Three calls of the reference design with an expired token.
    private static var referenceApp: RaceScenario {
        guard let app = AppRegistry.all.first, let journey = app.journeys.first else {
            preconditionFailure("there is no app")
        }
        var population = PopulationPlan(
            app, users: 1, journeys: [journey.name: 1], design: "reference")
        population.settings.initialTokens = .expired
        var plan = WorldPlan(populations: [population])
        plan.backend.network.up = .constant(nanoseconds: 40_000_000)
        plan.backend.network.down = .constant(nanoseconds: 40_000_000)
        plan.backend.server.serviceTime = .constant(nanoseconds: 5_000_000)
        return RaceScenario(
            plan, acts: (0..<3).map { _ in ScenarioAct(.call, "model") },
            durationNanoseconds: 20_000_000_000)
    }
}
