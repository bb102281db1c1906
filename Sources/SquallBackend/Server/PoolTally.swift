/// What one pool of workers and its line did and met, over the time that is measured.
public struct PoolTally: Hashable, Sendable {
    /// Its name in results; empty for the pool that serves all endpoints of no other pool.
    public let name: String
    /// Workers at work, over time.
    public private(set) var busy = LevelMeter()
    /// Workers that there are, over time.
    public private(set) var present = LevelMeter()
    /// Requests in line, over time.
    public private(set) var waiting = LevelMeter()

    init(name: String) { self.name = name }

    /// The share of the workers' time that was worked; `nil` without any.
    public func utilisation(at now: Int64) -> Double? {
        let time = present.area(at: now)
        return time > 0 ? Double(busy.area(at: now)) / Double(time) : nil
    }

    mutating func note(_ queue: ServerQueue, at now: Int64) {
        busy.set(Int64(queue.busy), at: now)
        present.set(Int64(max(queue.workers, queue.busy)), at: now)
        waiting.set(Int64(queue.waiting), at: now)
    }

    mutating func restart(at now: Int64) {
        busy.restart(at: now)
        present.restart(at: now)
        waiting.restart(at: now)
    }

    mutating func stop(at now: Int64) {
        busy.stop(at: now)
        present.stop(at: now)
        waiting.stop(at: now)
    }
}

/// What the database behind the workers did and met, over the time that is measured.
public struct DatabaseTally: Hashable, Sendable {
    /// Connections in use, over time.
    public private(set) var busy = LevelMeter()
    /// Workers that wait for a connection, over time.
    public private(set) var waiting = LevelMeter()
    /// Queries that got a connection.
    public private(set) var queries: Int64 = 0
    /// Rows that were read for them.
    public private(set) var rows: Int64 = 0

    /// Nothing yet.
    init() {}

    mutating func note(_ queue: ServerQueue, at now: Int64) {
        busy.set(Int64(queue.busy), at: now)
        waiting.set(Int64(queue.waiting), at: now)
    }

    mutating func queryBegan() { queries += 1 }

    mutating func read(_ rows: Int) { self.rows += Int64(rows) }

    mutating func restart(at now: Int64) {
        queries = 0
        rows = 0
        busy.restart(at: now)
        waiting.restart(at: now)
    }

    mutating func stop(at now: Int64) {
        busy.stop(at: now)
        waiting.stop(at: now)
    }
}
