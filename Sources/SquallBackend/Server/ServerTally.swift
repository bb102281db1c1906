/// What the server's workers and their line did and met, over the time that is measured.
public struct ServerTally: Hashable, Sendable {
    /// Requests that came to it.
    public internal(set) var received: Int64 = 0
    /// Requests that it replied to.
    public internal(set) var replied: Int64 = 0
    /// Requests that it dropped because their clients had stopped waiting.
    public internal(set) var abandoned: Int64 = 0
    /// Workers at work, over time.
    public private(set) var busy = LevelMeter()
    /// Workers that there are, over time; a worker to be removed finishes its request first.
    public private(set) var present = LevelMeter()
    /// Requests in line, over time.
    public private(set) var waiting = LevelMeter()
    /// What happened to the requests of each endpoint before the workers took them; requests to
    /// services with their own workers wait nowhere.
    public var lines: [(endpoint: Endpoint, line: EndpointLine)] {
        zip(endpoints, rows).compactMap { endpoint, line in endpoint.map { ($0, line) } }
    }
    private var rows: [EndpointLine] = []
    private var endpoints: [Endpoint?] = []
    /// The same levels of each pool, if there are several; first the one of other endpoints.
    public private(set) var pools: [PoolTally] = []
    /// What the database did and met; nil without one.
    public internal(set) var database: DatabaseTally?

    /// Nothing yet.
    public init() {}

    /// Changes the record of an endpoint's requests.
    mutating func changeLine(of endpoint: Endpoint, _ change: (inout EndpointLine) -> Void) {
        let number = Int(endpoint.number)
        while rows.count <= number {
            rows.append(EndpointLine())
            endpoints.append(nil)
        }
        if endpoints[number] == nil { endpoints[number] = endpoint }
        change(&rows[number])
    }

    /// The share of the workers' time that was worked; `nil` without any.
    public func utilisation(at now: Int64) -> Double? {
        let time = present.area(at: now)
        return time > 0 ? Double(busy.area(at: now)) / Double(time) : nil
    }

    /// Notes the levels of each of several pools.
    mutating func note(_ pools: [WorkerPool], at now: Int64) {
        if self.pools.isEmpty { self.pools = pools.map { PoolTally(name: $0.name) } }
        for (index, pool) in pools.enumerated() { self.pools[index].note(pool.queue, at: now) }
    }

    /// Notes the levels of all together.
    mutating func note(busy: Int, of present: Int, waiting: Int, at now: Int64) {
        self.busy.set(Int64(busy), at: now)
        self.present.set(Int64(present), at: now)
        self.waiting.set(Int64(waiting), at: now)
    }

    /// Resets the counts but keeps the present levels: measuring begins now.
    mutating func restart(at now: Int64) {
        received = 0
        replied = 0
        abandoned = 0
        busy.restart(at: now)
        present.restart(at: now)
        waiting.restart(at: now)
        for number in rows.indices { rows[number].restart() }
        for index in pools.indices { pools[index].restart(at: now) }
        database?.restart(at: now)
    }

    /// Ends the measuring of levels, because the load is over; requests still count.
    mutating func stop(at now: Int64) {
        busy.stop(at: now)
        present.stop(at: now)
        waiting.stop(at: now)
        for index in pools.indices { pools[index].stop(at: now) }
        database?.stop(at: now)
    }
}
