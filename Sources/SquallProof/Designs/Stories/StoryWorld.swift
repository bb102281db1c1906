import SquallApps
import SquallClient
import SquallBackend
import SquallKernel
import SquallLab
import SquallServices
import Synchronization

/// The cost of a scene on one design.
public struct StoryCost: Hashable, Sendable {
    /// The number of taps.
    public internal(set) var taps = 0
    /// The number of taps that showed what the user wanted.
    public internal(set) var served = 0
    /// Refreshes that were sent.
    public internal(set) var refreshes = 0
    /// All other attempts, except sign-ins.
    public internal(set) var attempts = 0
    /// How often the user had to sign in.
    public internal(set) var signIns = 0
    /// How long the user waited, in nanoseconds.
    public internal(set) var waitedNanoseconds: Int64 = 0
}

extension DesignStory {
    /// The cost of the scene on a design of the story's app.
    ///
    /// - Throws: what stops a simulation.
    public func cost(of design: String, in place: DesignPlace = .contract) throws -> StoryCost {
        guard let app = AppRegistry.app(named: app) else {
            preconditionFailure("there is no app named \(app)")
        }
        return try StoryWorld(self, DesignSubject(app, design: design, in: place)).run()
    }
}

/// The world of a story: one person, who signs in again where they have to, and who gives a tap up
/// after half a minute.
private final class StoryWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private static let patienceNanoseconds: Int64 = 30_000_000_000
    private static let pauseNanoseconds: Int64 = 10_000_000_000
    private static let end = Instant(nanoseconds: 3_600_000_000_000)

    private let scene: StoryScene
    private let subject: DesignSubject
    private let world: PhoneWorld
    private let transport: NotedTransport
    private let cost = Mutex<StoryCost?>(nil)

    init(_ story: DesignStory, _ subject: DesignSubject) {
        scene = story.scene
        self.subject = subject
        var noted: NotedTransport?
        world = PhoneWorld(
            subject, services: subject.place.services,
            backendPlan: .ofOnePhone(connections: 6, accessLifetimeNanoseconds: 3_600_000_000_000)
        ) { parts in
            let transport = NotedTransport(parts)
            noted = transport
            return transport
        }
        guard let noted else { preconditionFailure("a world makes its transport at once") }
        transport = noted
        world.app.restore(
            StoredAccount(world.backend.signIn(user: 0, at: subject.app.origin, expired: false)))
    }

    func run() throws -> StoryCost {
        world.simulation.spawn { [self] in
            var ordinal: UInt32 = 0
            for tap in scene.before {
                _ = await take(tap, &ordinal)
            }
            let sent = transport.sends.count
            var cost = StoryCost()
            for tap in scene.taps {
                let (isServed, signIns, waited) = await take(tap, &ordinal)
                cost.taps += 1
                cost.served += isServed ? 1 : 0
                cost.signIns += signIns
                cost.waitedNanoseconds += waited
            }
            let sends = transport.sends.dropFirst(sent)
            cost.refreshes = sends.count { $0.endpoint.role == .refresh }
            cost.attempts = sends.count { $0.endpoint.role == .ordinary }
            self.cost.withLock { $0 = cost }
            world.simulation.stop()
        }
        try world.run(until: Self.end)
        transport.close()
        try world.clear()
        guard let cost = cost.withLock({ $0 }) else {
            preconditionFailure("a story of \(scene.taps.count) taps takes longer than an hour")
        }
        return cost
    }

    /// Performs a tap; after a sign-in, if that was necessary, performs it again.
    private func take(
        _ tap: StoryTap, _ ordinal: inout UInt32
    ) async -> (isServed: Bool, signIns: Int, waited: Int64) {
        try? await world.simulation.sleep(nanoseconds: Self.pauseNanoseconds)
        if tap.isExpired { world.backend.expireAccessTokens() }
        for _ in 0..<tap.failedRefreshes {
            transport.fail(.status(500), where: \.isRefresh)
        }
        for _ in 0..<tap.failedCalls {
            transport.fail(.status(500)) { $0.endpoint.role == .ordinary }
        }
        let began = world.simulation.now.nanoseconds
        var outcome = await attempt(tap, &ordinal)
        var signIns = 0
        if world.app.needsSignIn {
            signIns = 1
            ordinal += 1
            world.app.beginStep(ordinal)
            _ = await world.patiently(nanoseconds: Self.patienceNanoseconds) { [world] in
                await world.app.signIn()
            }
            outcome = await attempt(tap, &ordinal)
        }
        let waited = world.simulation.now.nanoseconds - began
        return (outcome?.isSuccess == true, signIns, waited)
    }

    /// The outcome of a tap for a user with limited patience; a user who gives up closes the app,
    /// which also ends endless repetitions.
    private func attempt(_ tap: StoryTap, _ ordinal: inout UInt32) async -> StepOutcome? {
        ordinal += 1
        world.app.beginStep(ordinal)
        let outcome = await world.patiently(nanoseconds: Self.patienceNanoseconds) { [self] in
            await perform(tap.action)
        }
        if outcome == nil {
            transport.close()
            try? await world.simulation.sleep(nanoseconds: 1_000_000_000)
            transport.close(false)
        }
        return outcome
    }

    private func perform(_ action: StoryTap.Action) async -> StepOutcome {
        switch action {
        case .calls(let kind, let count):
            return await withTaskGroup(of: StepOutcome.self) { group in
                for _ in 0..<count { group.addTask { await self.world.app.call(kind) } }
                return await group.reduce(StepOutcome.rendered) { $1.isSuccess ? $0 : $1 }
            }
        case .step(let name, let step):
            guard let journey = subject.app.journeys.firstIndex(where: { $0.name == name }) else {
                preconditionFailure("\(subject.app.name) has no journey \(name)")
            }
            return await world.app.perform(step: step, ofJourney: journey)
        }
    }
}
