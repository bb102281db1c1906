import Squall
import SquallKernel
import SquallLab

/// The system of a load's world; each user's objects come from the user's device.
final class LoadSystem: ClientSystem, @unchecked Sendable {
    // Safe because a world is used by one thread at a time.

    private let system: SimulatedSystem

    init(_ simulation: Simulation, preemptions: Int) {
        system = SimulatedSystem(simulation, preemptions: preemptions) { owner in
            guard let device = owner.person as? SimulatedDevice else {
                preconditionFailure("\(owner) is no device")
            }
            return .init(
                shared: { device.session }, cookies: { device.cookies },
                defaults: { device.defaults })
        }
    }

    var servedMany: [(what: String, users: Int, example: Int)] {
        system.sharedInstances.map { ($0.what, $0.users, $0.example) }
    }

    func run(until end: Instant) throws -> Simulation.Pause { try system.run(until: end) }

    func end() { system.end() }
}
