import SquallFormat
import SquallKernel

/// A replication that a fault of the simulation ended.
struct ReplicationFault: Hashable, Sendable {
    /// Its seed.
    let seed: UInt64
    let reason: String

    /// The name of the work that a task is.
    static func work(_ task: ReplicationTask) -> String { "replication \(task.key)" }
}

/// Replications were ended by faults of the simulation; all others of the step were run and kept.
struct ReplicationsEnded: Error, CustomStringConvertible, Sendable {
    /// Those that were.
    let faults: [ReplicationFault]
    let count: Int

    init(faults: [ReplicationFault], of count: Int) { (self.faults, self.count) = (faults, count) }

    /// How many of how many, and the first one's seed and reason.
    public var description: String {
        let all = Units.counted(count, "replication")
        let first = faults.first.map { "; seed \($0.seed): \($0.reason)" } ?? ""
        return "\(faults.count) of \(all) \(faults.count == 1 ? "was" : "were")"
            + " \(Containment.words)\(first). The others are kept, so the same command with another"
            + " number of replications or another seed goes on from them"
    }
}
