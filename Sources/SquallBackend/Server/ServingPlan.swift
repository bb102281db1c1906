public import SquallKernel

/// Who works, on what first, and what becomes of requests that nobody waits for any more.
public struct ServingPlan: Hashable, Sendable {
    /// How many workers there are from when on, in order of time.
    public var stages: [WorkerStage]
    /// Whom a worker takes next.
    public var order: Order
    /// How important the calls of endpoints are where that is not 0; more goes first.
    public var priorities: [String: Int]
    /// When a request that has waited too long is turned away.
    public var lateness: Lateness
    /// What a client that gives up means to the server.
    public var abandonment: Abandonment
    /// Workers who do the calls of some endpoints only, and no others do those.
    public var pools: [PoolPlan]
    /// What workers ask before they can answer; nil when they know all themselves.
    public var database: DatabasePlan?

    /// The same workers from beginning to end, first come, first served, and nobody is told of
    /// anybody who has given up.
    public static let plain = ServingPlan(
        stages: [], order: .fifo, priorities: [:], lateness: .found, abandonment: .ignored,
        pools: [], database: nil)

    /// Whom a worker takes next.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// Who has waited longest.
        case fifo
        /// Who came last.
        case lifo
        /// The most important, and of those who has waited longest.
        case priority
    }

    /// When a request that has waited too long is turned away.
    public enum Lateness: String, Hashable, Sendable, CaseIterable {
        /// By the worker who finds it.
        case found
        /// The moment it has waited too long, which makes room in line.
        case leaves
    }

    /// What a client that gives up means to the server.
    public enum Abandonment: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the work is done, and the answer goes nowhere.
        case ignored
        /// Its request leaves the line, if it is still there.
        case leavesLine
        /// The same, and a worker or connection that is at it is free at once.
        case freesWorker
    }
}

/// From when on there are so many workers.
public struct WorkerStage: Hashable, Sendable {
    /// From when on.
    public var start: Instant
    /// How many; those who are to go finish what they work on.
    public var workers: Int
}

extension [WorkerStage] {
    /// How many workers there are at an instant, of `first` before the first stage.
    func workers(at now: Instant, first: Int) -> Int { last { $0.start <= now }?.workers ?? first }
}

/// Workers with a line of their own, for the calls of some endpoints.
public struct PoolPlan: Hashable, Sendable {
    /// What results call it.
    public var name: String
    /// Whose calls it serves.
    public var endpoints: Set<String>
    /// How many requests are worked on at once.
    public var workers: Int
    /// How many may wait.
    public var queueLimit: Int
    /// How many workers there are from when on, in order of time.
    public var stages: [WorkerStage]
}

/// A database behind the workers, each of whom waits for it.
public struct DatabasePlan: Hashable, Sendable {
    /// How many queries it works on at once; workers wait for a connection, first come first.
    public var connections: Int
    /// How long a query takes before its rows count.
    public var queryTime: Distribution
    /// How many rows it reads a second, for all connections together; nil for as many as asked.
    public var rowsPerSecond: Double?
    /// Whose calls ask it; empty for all.
    public var endpoints: Set<String>
}
