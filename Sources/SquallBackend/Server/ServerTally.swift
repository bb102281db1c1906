/// What the server's workers and the line before them went through, in what is measured of a run.
public struct ServerTally: Hashable, Sendable {
    /// Requests that came, and those it replied to.
    public internal(set) var received: Int64 = 0
    /// Requests that it replied to.
    public internal(set) var replied: Int64 = 0
    /// Workers at work, over time.
    public private(set) var busy = LevelMeter()
    /// Workers that there are, over time; those that are to go finish what they work on.
    public private(set) var present = LevelMeter()
    /// Requests in line, over time.
    public private(set) var waiting = LevelMeter()
    /// What the requests of each endpoint met before the workers; what services work on themselves
    /// waits nowhere.
    public internal(set) var lines: [Endpoint: EndpointLine] = [:]

    /// Nothing yet.
    public init() {}

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

    /// Forgets what was counted but not who is there: measuring begins now.
    mutating func restart(at now: Int64) {
        received = 0
        replied = 0
        busy.restart(at: now)
        present.restart(at: now)
        waiting.restart(at: now)
        for endpoint in lines.keys { lines[endpoint]?.restart() }
    }

    /// Ends the measuring of levels, because the load is over; requests still count.
    mutating func stop(at now: Int64) {
        busy.stop(at: now)
        present.stop(at: now)
        waiting.stop(at: now)
    }
}
