public import SquallKernel

/// What the server's workers and their line did and met, over the time that is measured.
public struct ServerTally: Hashable, Sendable {
    /// Requests that came to it.
    public internal(set) var received: Int64 = 0
    /// Requests that it replied to.
    public internal(set) var replied: Int64 = 0
    /// Requests that it dropped because their clients had stopped waiting.
    public internal(set) var abandoned: Int64 = 0
    /// All workers, and the requests that wait for one.
    public internal(set) var workers = StationTally()
    /// What happened to the requests of each endpoint before the workers took them; requests to
    /// services with their own workers wait nowhere.
    public var lines: [(endpoint: Endpoint, line: EndpointLine)] {
        zip(endpoints, rows).compactMap { endpoint, line in endpoint.map { ($0, line) } }
    }
    private var rows: [EndpointLine] = []
    private var endpoints: [Endpoint?] = []
    /// The levels of each pool, if there are several; first that of the pool for all other
    /// endpoints.
    public private(set) var pools: [StationTally] = []
    /// What the database did and met; nil without one.
    public internal(set) var database: DatabaseTally?

    /// Counts of zero at the beginning of time.
    public init() {}

    /// Changes the record of an endpoint's requests.
    mutating func changeLine(of endpoint: Endpoint, _ change: (inout EndpointLine) -> Void) {
        let number = Int(endpoint.number)
        while rows.count <= number {
            rows.append(EndpointLine())
            endpoints.append(nil)
        }
        // Asked for the case alone: a comparison with `nil` copies what it compares.
        if case .none = endpoints[number] { endpoints[number] = endpoint }
        change(&rows[number])
    }

    /// Notes the levels of each of several pools.
    mutating func note(_ pools: [WorkerPool], at now: Int64) {
        if self.pools.isEmpty { self.pools = pools.map { StationTally(name: $0.name) } }
        for (index, pool) in pools.enumerated() { self.pools[index].note(pool.queue, at: now) }
    }

    /// Resets the counts but keeps the present levels: measuring begins now.
    mutating func restart(at now: Int64) {
        received = 0
        replied = 0
        abandoned = 0
        workers.restart(at: now)
        for number in rows.indices { rows[number].restart() }
        for index in pools.indices { pools[index].restart(at: now) }
        database?.restart(at: now)
    }

    /// Ends the measuring of levels, because the load is over; requests still count.
    mutating func stop(at now: Int64) {
        workers.stop(at: now)
        for index in pools.indices { pools[index].stop(at: now) }
        database?.connections.stop(at: now)
    }
}

/// What some workers and their line did and met, over the time that is measured: those of a server
/// or of a pool, or a database's connections with the workers that wait for them.
public struct StationTally: Hashable, Sendable {
    /// The pool's name in results; empty for all workers, and for the pool of all endpoints that
    /// have none of their own.
    public private(set) var name = ""
    /// Workers at work, over time.
    public private(set) var busy = LevelMeter()
    /// Workers that there are, over time; a worker to be removed finishes its request first.
    public private(set) var present = LevelMeter()
    /// The number of requests in line, over time.
    public private(set) var waiting = LevelMeter()

    /// The share of the workers' time that was worked; `nil` without any.
    public func utilisation(at now: Int64) -> Double? {
        let time = present.area(at: now)
        return time > 0 ? Double(busy.area(at: now)) / Double(time) : nil
    }

    mutating func note(busy: Int, of present: Int, waiting: Int, at now: Int64) {
        self.busy.set(Int64(busy), at: now)
        self.present.set(Int64(present), at: now)
        self.waiting.set(Int64(waiting), at: now)
    }

    mutating func note(_ queue: ServerQueue, at now: Int64) {
        note(
            busy: queue.busy, of: max(queue.workers, queue.busy), waiting: queue.waiting, at: now)
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
    /// Its connections, and the workers that wait for one.
    public internal(set) var connections = StationTally()
    /// Queries that got a connection.
    public internal(set) var queries: Int64 = 0
    /// Rows that were read for them.
    public internal(set) var rows: Int64 = 0

    mutating func restart(at now: Int64) {
        (queries, rows) = (0, 0)
        connections.restart(at: now)
    }
}

/// A level that rises and falls, added up over a span of time in whole numbers.
public struct LevelMeter: Hashable, Sendable {
    /// The level now.
    public private(set) var level: Int64 = 0
    /// The highest level in the span.
    public private(set) var highest: Int64 = 0
    private var sum: Int128 = 0
    private var changedAt: Int64 = 0
    private var startedAt: Int64 = 0
    private var endedAt: Int64?

    /// A level of 0 since the beginning of time.
    public init() {}

    /// The level added up over the span so far, in its unit times nanoseconds.
    public func area(at now: Int64) -> Int128 {
        sum + Int128(level) * Int128(max(0, min(now, endedAt ?? now) - changedAt))
    }

    /// How long the span is so far.
    public func nanoseconds(at now: Int64) -> Int64 { min(now, endedAt ?? now) - startedAt }

    /// The mean level over the span so far; `nil` before any time has passed.
    public func mean(at now: Int64) -> Double? {
        let span = nanoseconds(at: now)
        return span > 0 ? Double(area(at: now)) / Double(span) : nil
    }

    mutating func set(_ level: Int64, at now: Int64) {
        // Whole numbers add up to the same however often an unchanged level is added.
        guard level != self.level else { return }
        guard endedAt == nil else { return self.level = level }
        sum = area(at: now)
        changedAt = now
        self.level = level
        highest = max(highest, level)
    }

    /// The span begins now.
    mutating func restart(at now: Int64) {
        sum = 0
        changedAt = now
        startedAt = now
        endedAt = nil
        highest = level
    }

    /// The span ends now.
    mutating func stop(at now: Int64) {
        guard endedAt == nil else { return }
        sum = area(at: now)
        changedAt = now
        endedAt = now
    }
}

/// How many requests are at the server, waiting or in work, over time.
///
/// Both sides of Little's law in whole nanoseconds, each counted in its own way: the area under the
/// number of requests, and the sum of their times at the server. On a drained server they are
/// equal, not nearly equal.
public struct Occupancy: Hashable, Sendable {
    /// How many are there now.
    public private(set) var count: Int64 = 0
    /// How many have left.
    public private(set) var departed: Int64 = 0
    /// The sum of the times of those who left.
    public private(set) var residenceNanoseconds: Int128 = 0
    /// The moments at which requests left, without those at which requests came.
    private var moments: Int128 = 0

    /// No requests at the beginning of time.
    public init() {}

    /// The number of requests added up over time, in requests times nanoseconds.
    public func areaNanoseconds(at now: Instant) -> Int128 {
        moments + Int128(count) * Int128(now.nanoseconds)
    }

    /// One has come.
    public mutating func enter(at now: Instant) {
        moments -= Int128(now.nanoseconds)
        count += 1
    }

    /// One has left that came at a moment of its own record.
    public mutating func leave(enteredAt: Instant, at now: Instant) {
        moments += Int128(now.nanoseconds)
        count -= 1
        departed += 1
        residenceNanoseconds += Int128(now.nanoseconds - enteredAt.nanoseconds)
    }
}
