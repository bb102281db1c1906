import SquallApps
public import SquallKernel
import Synchronization

/// Queues, locks, sleeps and sessions of the system's, for apps that use them as they are.
public protocol ClientSystem: VirtualSystem, Sendable {
    /// Objects that served several users, the most first: a sentence's subject, with their number.
    var servedMany: [(what: String, users: Int, example: Int)] { get }
    /// Ends the world.
    func end()
}

/// Gives worlds such a system, if a module for apps of other packages has provided one.
public enum ClientSystems {
    /// Makes a system that may interrupt code without waits this often, where a policy decides.
    public typealias Maker = @Sendable (Simulation, _ preemptions: Int) -> any ClientSystem

    // It is filled once, before the tool begins.
    private static let maker = Mutex<Maker?>(nil)

    /// Sets how worlds get one.
    public static func make(by make: @escaping Maker) {
        maker.withLock { $0 = make }
    }

    /// The system of a world with some apps; `nil` when no app uses one.
    static func system(
        for apps: [AppDescription], in simulation: Simulation, preemptions: Int = 0
    ) -> (any ClientSystem)? {
        guard apps.contains(where: \.usesSystem) else { return nil }
        return maker.withLock { $0 }?(simulation, preemptions)
    }
}
