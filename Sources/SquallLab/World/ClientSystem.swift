public import SquallApps
public import SquallKernel
import Synchronization

/// Queues, locks, sleeps and sessions of the system's, for apps that use them as they are.
public protocol ClientSystem: VirtualSystem, Sendable {
    /// What served several people, the most first: a sentence's subject each, with their number.
    var servedMany: [(what: String, users: Int, example: Int)] { get }
    /// The world has ended.
    func end()
}

/// Who brings worlds such a system: a door for apps of other packages, or nobody.
public enum ClientSystems {
    /// Makes a system that may interrupt code which does not wait so often, where a policy decides.
    public typealias Maker = @Sendable (Simulation, _ preemptions: Int) -> any ClientSystem

    // It is filled once, before the tool begins.
    private static let maker = Mutex<Maker?>(nil)

    /// Says how a world gets one.
    public static func make(by make: @escaping Maker) {
        maker.withLock { $0 = make }
    }

    /// The system of a world with some apps; `nil` when none of them uses one.
    public static func system(
        for apps: [AppDescription], in simulation: Simulation, preemptions: Int = 0
    ) -> (any ClientSystem)? {
        guard apps.contains(where: \.usesSystem) else { return nil }
        return maker.withLock { $0 }?(simulation, preemptions)
    }
}
