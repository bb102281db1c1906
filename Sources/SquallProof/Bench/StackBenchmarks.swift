import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab
import SquallServices

/// The cost of one request, and of a whole world.
extension Benchmark {
    static let stack: [Benchmark] = [
        Benchmark(
            "stack/request, small answer",
            about: "The same request answered by the server behind a network without latency.",
            measure: serverRequests),
        Benchmark(
            "memory/100k idle users",
            about: "One user's app is installed and signed in, and then nothing happens to it.",
            repetitions: 1, isAlone: true, measure: idleUsers),
        world("1k users, reading", users: 1_000, journeys: ["browse": 1], seconds: 300),
        world("1k users, mixed", users: 1_000, journeys: mixed, seconds: 300),
        world("10k users, reading", users: 10_000, journeys: ["browse": 1], seconds: 60),
        world("10k users, mixed", users: 10_000, journeys: mixed, seconds: 60),
        world("100k users, reading", users: 100_000, journeys: ["browse": 1], seconds: 25),
    ]

    private static let mixed: [String: Double] = ["read": 5, "browse": 2, "resume": 3, "buy": 1]

    private static func serverRequests() throws -> Sample {
        let simulation = Simulation.withoutDelays
        var plan = BackendPlan.standard
        plan.userCount = 1
        plan.tokens.accessLifetimeNanoseconds = 1 << 50
        plan.network.up = .constant(nanoseconds: 0)
        plan.network.down = .constant(nanoseconds: 0)
        plan.server.serviceTime = .constant(nanoseconds: 0)
        var services = ServicesPlan.standard
        services.userCount = 1
        let observer = SilentObserver()
        let backend = Backend(
            simulation: simulation, plan: plan,
            services: ServiceKind.services(services, randomness: RandomStream(seed: 1)),
            randomness: RandomStream(seed: 1), observer: observer)
        let token = backend.signIn(user: 0).accessToken
        return try withExtendedLifetime((backend, observer)) {
            try requests(through: backend.transport, simulation: simulation, token: token)
        }
    }

    private static func idleUsers() throws -> Sample {
        let profile = Profile.bench(users: 100_000, journeys: ["resume": 1], seconds: 30)
        let (world, nanoseconds, note) = resident(profile.users, each: "a user") {
            let world = World(WorldPlan(profile))
            world.installEverybody()
            return world
        }
        return withExtendedLifetime(world) {
            Sample(operations: Int(profile.users), nanoseconds: nanoseconds, note: note)
        }
    }

    /// A world of Scrolly's readers for some time; one operation is one attempt.
    private static func world(
        _ name: String, users: Int64, journeys: [String: Double], seconds: Int64
    ) -> Benchmark {
        Benchmark(
            "world/\(name)",
            about: "One wire attempt of a whole run: users, client, network, server, measurement.",
            repetitions: 1, isAlone: true
        ) {
            let profile = Profile.bench(users: users, journeys: journeys, seconds: seconds)
            let (world, nanoseconds, note) = try resident(users, each: "a user") {
                let world = World(WorldPlan(profile))
                let end = Instant(nanoseconds: profile.durationNanoseconds)
                _ = try world.simulation.run(until: end)
                return world
            }
            world.drain()
            defer { world.tearDown() }
            return Sample(
                operations: Int(world.attemptsSent), nanoseconds: nanoseconds, note: note)
        }
    }
}

extension Profile {
    /// A number of Scrolly's readers with five-minute tokens.
    fileprivate static func bench(
        users: Int64, journeys: [String: Double], seconds: Int64
    ) -> Profile {
        let weights = journeys.ordered { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        let text = """
            { "schemaVersion": 1, "duration": "\(seconds)s", "populations": [{
              "app": "scrolly", "users": \(users), "arriveOver": "1m",
              "journeys": { \(weights.joined(separator: ", ")) } }] }
            """
        do throws(InvalidProfile) {
            return try read(Array(text.utf8), file: "bench", vocabulary: .installed)
        } catch {
            preconditionFailure("the benchmark's own profile is wrong: \(error)")
        }
    }
}
