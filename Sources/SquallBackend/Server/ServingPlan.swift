public import SquallKernel

/// Which workers there are, what they take next, and what happens to abandoned requests.
public struct ServingPlan: Hashable, Sendable {
    /// The changes of the number of workers, in order of time.
    public var stages: [WorkerStage]
    /// Which request a worker takes next.
    public var order: Order
    /// How important the calls of endpoints are where that is not 0; more goes first.
    public var priorities: [String: Int]
    /// When a request that has waited too long is turned away.
    public var lateness: Lateness
    /// What the server does when a client gives up.
    public var abandonment: Abandonment
    /// Pools of workers that serve some endpoints only; no other worker serves those.
    public var pools: [PoolPlan]
    /// The database that workers ask before they can answer; nil when they need none.
    public var database: DatabasePlan?

    /// Which request a worker takes next.
    public enum Order: String, Hashable, Sendable, CaseIterable {
        /// The one that has waited longest.
        case fifo
        /// The one that came last.
        case lifo
        /// The most important one, and among those the one that has waited longest.
        case priority
    }

    /// When a request that has waited too long is turned away.
    public enum Lateness: String, Hashable, Sendable, CaseIterable {
        /// By the worker who finds it.
        case found
        /// The moment it has waited too long, which makes room in line.
        case leaves
    }

    /// What the server does when a client gives up.
    public enum Abandonment: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the work is done, and the answer is dropped.
        case ignored
        /// The request leaves the line, if it is still there.
        case leavesLine
        /// The same, and a worker or connection busy with it is free at once.
        case freesWorker
    }
}

/// A number of workers from a moment on.
public struct WorkerStage: Hashable, Sendable {
    /// The moment from which on.
    public var start: Instant
    /// How many; a worker to be removed finishes its request first.
    public var workers: Int
}

extension [WorkerStage] {
    /// How many workers there are at an instant; `first` before the first stage.
    func workers(at now: Instant, first: Int) -> Int { last { $0.start <= now }?.workers ?? first }
}

/// Workers with a line of their own, for the calls of some endpoints.
public struct PoolPlan: Hashable, Sendable {
    /// What results call it.
    public var name: String
    /// The endpoints whose calls it serves.
    public var endpoints: Set<String>
    /// How many requests are worked on at once.
    public var workers: Int
    /// How many may wait.
    public var queueLimit: Int
    /// The changes of the number of workers, in order of time.
    public var stages: [WorkerStage]
}

/// A database behind the workers; each worker waits for it.
public struct DatabasePlan: Hashable, Sendable {
    /// How many queries it works on at once; workers wait for a connection, first come first.
    public var connections: Int
    /// How long a query takes before its rows count.
    public var queryTime: Distribution
    /// How many rows it reads a second, for all connections together; nil for as many as asked.
    public var rowsPerSecond: Double?
    /// The endpoints whose calls ask it; empty for all.
    public var endpoints: Set<String>
}
