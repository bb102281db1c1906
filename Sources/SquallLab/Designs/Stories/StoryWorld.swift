import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel

/// The cost of a scene on one design.
struct StoryCost: Sendable {
    /// The number of taps.
    var taps = 0
    /// The number of taps that showed what the user wanted.
    var served = 0
    /// Refreshes that were sent.
    var refreshes = 0
    /// All other attempts, except sign-ins.
    var attempts = 0
    /// How often the user had to sign in.
    var signIns = 0
    /// How long the user waited, in nanoseconds.
    var waitedNanoseconds: Int64 = 0
}

/// The world of a story: one user, who signs in again where they have to, and who gives a tap up
/// after half a minute.
final class StoryWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private static let patienceNanoseconds = 30 * Span.second
    private static let pauseNanoseconds = 10 * Span.second

    private let scene: StoryScene
    private let world: PhoneWorld
    /// The number of the user's next step, from 1.
    private var ordinal: UInt32 = 0
    private var transport: NotedTransport { world.transport }

    init(_ scene: StoryScene, _ subject: DesignSubject) {
        self.scene = scene
        world = PhoneWorld(subject, backendPlan: .ofOnePhone())
        world.app.restore(world.account())
    }

    func run() throws -> StoryCost { try world.play { [self] in await play() } }

    private func play() async -> StoryCost {
        for tap in scene.before { _ = await take(tap) }
        let sent = transport.sends.count
        var cost = StoryCost()
        for tap in scene.taps {
            let (isServed, signIns, waited) = await take(tap)
            cost.taps += 1
            cost.served += isServed ? 1 : 0
            cost.signIns += signIns
            cost.waitedNanoseconds += waited
        }
        let sends = transport.sends.dropFirst(sent)
        cost.refreshes = sends.count { $0.endpoint.role == .refresh }
        cost.attempts = sends.count { $0.endpoint.role == .ordinary }
        return cost
    }

    /// Performs a tap; after a sign-in, if that was necessary, performs it again.
    private func take(_ tap: StoryTap) async -> (isServed: Bool, signIns: Int, waited: Int64) {
        try? await world.simulation.sleep(nanoseconds: Self.pauseNanoseconds)
        if tap.isExpired { world.backend.expireAccessTokens() }
        for _ in 0..<tap.failedRefreshes {
            transport.fail(.status(500), where: \.isRefresh)
        }
        for _ in 0..<tap.failedCalls {
            transport.fail(.status(500)) { $0.endpoint.role == .ordinary }
        }
        let began = world.simulation.now.nanoseconds
        var outcome = await attempt(tap)
        var signIns = 0
        if world.app.needsSignIn {
            signIns = 1
            _ = await step { [world] in await world.app.signIn() }
            outcome = await attempt(tap)
        }
        let waited = world.simulation.now.nanoseconds - began
        return (outcome?.isSuccess == true, signIns, waited)
    }

    /// The outcome of a tap for a user with limited patience; a user who gives up closes the app,
    /// which also ends endless repetitions.
    private func attempt(_ tap: StoryTap) async -> StepOutcome? {
        let outcome = await step { [self] in await perform(tap.action) }
        if outcome == nil {
            transport.isClosed = true
            try? await world.simulation.sleep(nanoseconds: Span.second)
            transport.isClosed = false
        }
        return outcome
    }

    private func step(_ action: @escaping @Sendable () async -> StepOutcome) async -> StepOutcome? {
        ordinal += 1
        world.app.beginStep(ordinal)
        return await world.patiently(nanoseconds: Self.patienceNanoseconds, action)
    }

    private func perform(_ action: StoryTap.Action) async -> StepOutcome {
        switch action {
        case .calls(let kind, let count):
            return await withTaskGroup(of: StepOutcome.self) { group in
                for _ in 0..<count { group.addTask { await self.world.app.call(kind) } }
                return await group.reduce(StepOutcome.rendered) { $1.isSuccess ? $0 : $1 }
            }
        case .step(let name, let step):
            let app = world.subject.app
            guard let journey = app.journeys.firstIndex(where: { $0.name == name }) else {
                preconditionFailure("\(app.name) has no journey \(name)")
            }
            return await world.app.perform(step: step, ofJourney: journey)
        }
    }
}
