import SquallApps
import SquallBackend
import SquallClient
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("The end of a world")
struct TeardownTests {
    @Test(
        "A world in which refreshes fail leaves no object behind",
        arguments: [
            ("scrolly", "browse", 3), ("scrolly", "browse", 80), ("thisBookThatBook", "browse", 3),
            ("shareD", "settings", 3),
        ])
    func nothingIsLeft(app: String, journey: String, users: Int) throws {
        let text = """
            { "schemaVersion": 1, "duration": "1m",
              "populations": [{ "app": "\(app)", "users": \(users),
                "journeys": {"\(journey)": 1}, "initialTokens": "expired" }],
              "backend": { "generation": "both", "faults": [
                { "kind": "serverError", "at": "0s", "status": 419, "endpoints": ["refresh"] }] } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        weak var recorder: Recorder?
        weak var simulation: Simulation?
        do {
            let world = World(WorldPlan(profile))
            (recorder, simulation) = (world.recorder, world.simulation)
            try world.run(for: .seconds(60))
            world.drain()
            try world.run(for: .seconds(1))
            #expect(world.attemptsSent > 0)
            world.tearDown()
        }
        #expect(recorder == nil && simulation == nil)
    }

    @Test("An answer that takes an hour is waited for at the end of a world")
    func slowAnswers() throws {
        let text = """
            { "schemaVersion": 1, "duration": "1m",
              "populations": [{ "app": "scrolly", "users": 3, "journeys": {"browse": 1} }],
              "backend": { "generation": "both",
                "network": { "down": {"constant": "1h"}, "timeout": "1h" } } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        weak var simulation: Simulation?
        do {
            let world = World(WorldPlan(profile))
            simulation = world.simulation
            try world.run(for: .seconds(60))
            world.drain()
            #expect(world.backend.inFlight > 0)
            world.tearDown()
        }
        #expect(simulation == nil)
    }

    @Test(
        "Users whose app outlives its world are told of; users of apps that end are not",
        arguments: zip([AppDescription(Sleepless.self), AppDescription(Dreamer.self)], [2, 0]))
    func leftBehind(app: AppDescription, users: Int64) throws {
        let population = PopulationPlan(app, users: 2, journeys: ["rest": 1])
        let plan = WorldPlan(populations: [population])
        let left = try {
            let world = World(plan)
            try world.run(for: .seconds(60))
            world.drain()
            let left = LeftBehind(of: world)
            world.tearDown()
            return left
        }()
        #expect(left.findings.map(\.count) == (users > 0 ? [users] : []))
        #expect(left.findings.allSatisfy { $0.example == "user 0" && !$0.failsRun })
    }
}

/// An app with one step, which leaves a task behind that wakes every second and never ends.
private final class Sleepless: RestingApp {
    static let name = "sleepless"
    static let journeys = [
        Journey<Sleepless>("rest", about: "Rests.", steps: [Step("rest") { $0.rest() }])
    ]
    let time: any TimeSource

    init(device: Device, design: String) { time = device.environment.time }

    private func rest() -> StepOutcome {
        Task.detached { while true { await self.sleep() } }
        return .rendered
    }
}

/// The same with a task that ends when ten seconds are over.
private final class Dreamer: RestingApp {
    static let name = "dreamer"
    static let journeys = [
        Journey<Dreamer>("rest", about: "Rests.", steps: [Step("rest") { $0.rest() }])
    ]
    let time: any TimeSource

    init(device: Device, design: String) { time = device.environment.time }

    private func rest() -> StepOutcome {
        Task.detached { for _ in 0..<10 { await self.sleep() } }
        return .rendered
    }
}

private protocol RestingApp: MobileApp {
    var time: any TimeSource { get }
}

extension RestingApp {
    static var about: String { "Rests." }
    static var designs: [String] { ["plain"] }
    static var callKinds: [CallKind] { [] }
    var needsSignIn: Bool { false }

    func sleep() async { try? await time.sleep(nanoseconds: 1_000_000_000) }
    func beginStep(_ ordinal: UInt32) {}
    func restore(_ account: StoredAccount) {}
    func signIn() async -> StepOutcome { .rendered }
    func call(_ kind: CallKind) async -> StepOutcome { .nothingToDo }
}
