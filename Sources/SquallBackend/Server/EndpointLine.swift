/// What happened to the requests of one endpoint before the workers took them.
public struct EndpointLine: Hashable, Sendable {
    /// Requests that a worker took and was not told to drop.
    public var served: Int64 { taken - dropped }
    /// Requests that a worker took.
    public private(set) var taken: Int64 = 0
    /// Those of them that it dropped because their clients had given up.
    private var dropped: Int64 = 0
    /// Requests that were turned away: there was no room, or they had waited too long.
    public private(set) var rejected: Int64 = 0
    /// Requests dropped, in the queue or at work, because their clients had stopped waiting.
    public private(set) var abandoned: Int64 = 0
    /// The total wait of all requests that a worker took.
    public private(set) var waitNanoseconds: Int128 = 0
    /// The longest wait of such a request.
    public private(set) var longestWaitNanoseconds: Int64 = 0
    /// How many wait now.
    public private(set) var waiting: Int64 = 0
    /// The most that ever waited at once.
    public private(set) var mostWaiting: Int64 = 0

    /// An empty line at the beginning of time.
    public init() {}

    /// Resets the counts but keeps the requests that wait.
    mutating func restart() {
        var line = EndpointLine()
        line.waiting = waiting
        line.mostWaiting = waiting
        self = line
    }

    mutating func joined() {
        waiting += 1
        mostWaiting = max(mostWaiting, waiting)
    }

    mutating func leftLine() { waiting -= 1 }

    mutating func taken(afterNanoseconds wait: Int64) {
        taken += 1
        waitNanoseconds += Int128(wait)
        longestWaitNanoseconds = max(longestWaitNanoseconds, wait)
    }

    mutating func wasTurnedAway() { rejected += 1 }

    /// A request was dropped; one that a worker had taken before is then not served.
    mutating func wasAbandoned(atWork: Bool) {
        abandoned += 1
        if atWork, dropped < taken { dropped += 1 }
    }
}
