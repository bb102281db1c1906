import SquallKernel
import Synchronization

/// A drill with a server, as explorations play it.
struct DrillSubject: RaceSubject {
    let drill: Drill
    let server: DrillServer
    let client: any ClientUnderTest
    let plan: ExplorationPlan
    var backgroundGrace = ServerConfiguration.usualGrace
    let notes = DrillObservations()

    /// How much virtual time a drill may take: more than a month.
    private static let limit: Duration = .seconds(40 * 86_400)

    func play(_ schedule: Schedule) throws -> Played {
        var setting = ServerConfiguration(client, server)
        setting.backgroundGrace = backgroundGrace
        drill.setting(&setting)
        let stage = try client.stage(setting, schedule, plan)
        defer { stage.end() }
        let kept = Box<DrillWorld?>(nil)
        let run = try stage.run(for: DrillSubject.limit) { [setting] in
            let world = try DrillWorld(setting, on: stage)
            kept.value = world
            do {
                try await drill.play(world)
                await world.sleep(.seconds(2))
            } catch DrillWorld.Stop.hung {}
            world.end()
        }
        if run.isSpinning { kept.value?.spins() }
        guard let world = kept.value else { throw AppNeverStarts(blocks: run.blocks) }
        let recorder = stage.tap.recorder
        recorder.close(run.isWhole ? .still : .outOfTime)
        let rules = DrillRules(
            history: recorder.history, tape: world.tape, run: run, client: client,
            accounts: stage.tap.accounts, handedOver: stage.tap.handedOver,
            redundant: Set(stage.tap.redundantRefreshes.map(Int.init)),
            body: stage.tap.body)
        let violations = rules.violations
        notes.note(world, schedule.choices, violations)
        return Played(
            schedule, violations: violations, serverView: recorder.history.serverView,
            digest: recorder.history.digest,
            history: schedule.keepsHistory ? recorder.history : nil)
    }
}

/// Making the client never returns.
struct AppNeverStarts: Error, CustomStringConvertible {
    /// What blocks it, where that is known.
    let blocks: String?

    var description: String {
        "the start of the app never returns" + (blocks.map { ": \($0)" } ?? "")
    }
}

/// What the plays of a drill have shown besides their findings.
final class DrillObservations: Sendable {
    private let state = Mutex(State())

    private struct State {
        var kept: [UInt16]?
        var unseen: String?
        var wasSeen = false
        var abilities: Set<Drill.Ability> = []
    }

    func note(_ world: DrillWorld, _ choices: [UInt16], _ violations: [Violation]) {
        state.withLock { state in
            if state.kept == nil, violations.isEmpty { state.kept = choices }
            if let unseen = world.tape.unseen { state.unseen = state.unseen ?? unseen }
            state.wasSeen = state.wasSeen || world.tape.unseen == nil
            state.abilities.formUnion(world.abilities)
            state.abilities.formUnion(world.setting.client.abilities)
            state.abilities.formUnion(Drill.Ability.simulated)
            if world.stage.storage?.wasUsed == true {
                state.abilities.formUnion([.storage, .restart])
            }
        }
    }

    /// The choices of the first play that kept every promise.
    var kept: [UInt16]? { state.withLock { $0.kept } }
    /// The drill's situation that no play has shown.
    var unseen: String? { state.withLock { $0.wasSeen ? nil : $0.unseen } }
    /// The client's abilities.
    var abilities: Set<Drill.Ability> { state.withLock { $0.abilities } }
}
