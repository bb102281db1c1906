import SquallKernel

/// Some workers and the line before them: c servers and one queue.
///
/// A value: it says what is to happen, and its owner makes it happen.
public struct ServerQueue {
    /// What happens to a request that arrives.
    public enum Admission: Hashable, Sendable {
        /// A worker takes it now.
        case starts
        /// It waits in line.
        case waits
        /// It waits in the place of another request, which is turned away.
        case replaces(UInt64)
        /// There is no room.
        case refused
    }

    /// How many requests may be worked on at once; those under way beyond it are finished.
    var workers: Int
    let queueLimit: Int
    /// How many workers are at work.
    public private(set) var busy = 0
    private var line: WaitingLine

    /// Idle workers and an empty line, which is served first come, first served.
    public init(workers: Int, queueLimit: Int) {
        self.init(workers: workers, queueLimit: queueLimit, line: WaitingLine())
    }

    init(workers: Int, queueLimit: Int, line: WaitingLine) {
        self.workers = workers
        self.queueLimit = queueLimit
        self.line = line
    }

    /// How many wait.
    public var waiting: Int { line.count }

    /// Admits a request that has arrived.
    ///
    /// A full line turns away the request that would be served last: this one or a waiting one.
    public mutating func admit(_ request: UInt64) -> Admission { admit(request, level: 0) }

    /// Admits a request of a level, which is served before those with higher numbers.
    mutating func admit(_ request: UInt64, level: Int) -> Admission {
        if busy < workers {
            busy += 1
            return .starts
        }
        if waiting < queueLimit {
            line.append(request, level: level)
            return .waits
        }
        guard let last = line.popLast(before: level) else { return .refused }
        line.append(request, level: level)
        return .replaces(last)
    }

    /// A worker is done; returns the request that it takes next, if any waits.
    public mutating func finishOne() -> UInt64? {
        guard busy <= workers, let next = line.popFirst() else {
            busy -= 1
            return nil
        }
        return next
    }

    /// Takes a request that waits although a worker is free, as after workers were added.
    mutating func startOneWaiting() -> UInt64? {
        guard busy < workers, let next = line.popFirst() else { return nil }
        busy += 1
        return next
    }

    /// A request leaves the line.
    ///
    /// - Precondition: it waits.
    mutating func remove(_ request: UInt64) { line.remove(request) }
}

/// The numbers of busy and idle workers; each request is with one worker.
struct WorkerNumbers {
    private var idle: [Int32] = []
    private var next: Int32

    /// Workers whose numbers begin at one.
    init(from first: Int32 = 0) { next = first }

    /// The number of the worker that takes the next request: the one that finished last, if any.
    mutating func take() -> Int32 {
        if let worker = idle.popLast() { return worker }
        next += 1
        return next - 1
    }

    /// A worker has nothing to do.
    mutating func giveBack(_ worker: Int32) { idle.append(worker) }
}

/// Requests that wait, in the order of their line.
///
/// A level is served only when all levels before it are empty; within a level the request that has
/// waited longest goes first, or the newest. A request that leaves from the middle is only marked,
/// so that each request is moved once.
struct WaitingLine {
    /// How many wait.
    private(set) var count = 0
    private let newestFirst: Bool
    private var levels: [Level]
    /// Requests that have left from the middle and are still in a level's list.
    private var gone: Set<UInt64> = []

    private struct Level {
        var requests: [UInt64] = []
        var first = 0

        var isEmpty: Bool { first == requests.count }

        var oldest: UInt64? { isEmpty ? nil : requests[first] }

        mutating func popFirst() -> UInt64 {
            defer {
                first += 1
                if first > 1_024, first * 2 > requests.count {
                    requests.removeFirst(first)
                    first = 0
                }
            }
            return requests[first]
        }
    }

    init(levels: Int = 1, newestFirst: Bool = false) {
        self.levels = Array(repeating: Level(), count: max(1, levels))
        self.newestFirst = newestFirst
    }

    /// A request joins the line.
    mutating func append(_ request: UInt64, level: Int) {
        levels[level].requests.append(request)
        count += 1
    }

    /// Removes the request that is next.
    mutating func popFirst() -> UInt64? {
        guard count > 0 else { return nil }
        for level in levels.indices {
            while !levels[level].isEmpty {
                let request =
                    newestFirst ? levels[level].requests.removeLast() : levels[level].popFirst()
                guard isGone(request) else {
                    count -= 1
                    return request
                }
            }
        }
        return nil
    }

    /// Removes the last request to be served, unless one that comes to a level would be last.
    mutating func popLast(before level: Int) -> UInt64? {
        guard count > 0 else { return nil }
        for last in levels.indices.reversed() where last >= level {
            // In the order of coming a new request is served last in its own level.
            if last == level, !newestFirst { return nil }
            while !levels[last].isEmpty {
                let request =
                    newestFirst ? levels[last].popFirst() : levels[last].requests.removeLast()
                guard isGone(request) else {
                    count -= 1
                    return request
                }
            }
        }
        return nil
    }

    /// Removes a request from where it stands.
    ///
    /// - Precondition: it is in the line.
    mutating func remove(_ request: UInt64) {
        gone.insert(request)
        count -= 1
        // The longest waiting one leaves most often; a line of the newest may never reach it.
        for level in levels.indices {
            while let first = levels[level].oldest, isGone(first) { _ = levels[level].popFirst() }
        }
    }

    private mutating func isGone(_ request: UInt64) -> Bool {
        !gone.isEmpty && gone.remove(request) != nil
    }
}

/// What happened to the requests of one endpoint before the workers took them.
public struct EndpointLine: Hashable, Sendable {
    /// Requests that a worker took and was not told to drop.
    public var served: Int64 { taken - dropped }
    /// Requests that a worker took.
    public private(set) var taken: Int64 = 0
    /// Late requests that were dropped because their clients had given up.
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

/// Workers of a server with their line: all of them, or those of some endpoints.
struct WorkerPool {
    /// Its name in results; empty for the pool that serves all endpoints of no other pool.
    let name: String
    var queue: ServerQueue
    var workers: WorkerNumbers
    private let first: Int
    private let stages: [WorkerStage]

    /// No pool has more workers than this: each pool's workers have numbers of their own.
    private static let workersMost: Int32 = 2_000_000

    /// The pools of a plan; the one that serves all endpoints of no other pool is first.
    static func all(of plan: ServerPlan, levels: Int) -> [WorkerPool] {
        let line = WaitingLine(levels: levels, newestFirst: plan.serving.order == .lifo)
        let common = WorkerPool(
            name: "", first: plan.workers, stages: plan.serving.stages,
            queue: ServerQueue(
                workers: plan.workers, queueLimit: plan.queueLimit, line: line), number: 0)
        let others = plan.serving.pools.enumerated().map { index, pool in
            WorkerPool(
                name: pool.name, first: pool.workers, stages: pool.stages,
                queue: ServerQueue(
                    workers: pool.workers, queueLimit: pool.queueLimit, line: line),
                number: Int32(index) + 1)
        }
        return [common] + others
    }

    private init(
        name: String, first: Int, stages: [WorkerStage], queue: ServerQueue, number: Int32
    ) {
        self.name = name
        self.first = first
        self.stages = stages
        self.queue = queue
        workers = WorkerNumbers(from: number * WorkerPool.workersMost)
    }

    /// How many workers the plan has at an instant.
    func planned(at now: Instant) -> Int { stages.workers(at: now, first: first) }
}

/// The pool of each endpoint's calls and their level in its line.
struct PoolDirectory {
    let levels: Int
    private let places: [Place?]
    private let unnamed: Place

    struct Place {
        var pool: Int32 = 0
        var level: Int32 = 0
    }

    init(_ plan: ServingPlan, _ services: ServiceDirectory) {
        let isRanked = plan.order == .priority
        let ranks = isRanked ? Set(plan.priorities.values).union([0]).sorted(by: >) : [0]
        levels = ranks.count
        guard isRanked || !plan.pools.isEmpty else {
            (places, unnamed) = ([], Place())
            return
        }
        var byName: [String: Place] = [:]
        let usual = Int32(ranks.firstIndex(of: 0) ?? 0)
        for (index, pool) in plan.pools.enumerated() {
            for endpoint in pool.endpoints {
                byName[endpoint] = Place(pool: Int32(index) + 1, level: usual)
            }
        }
        for (endpoint, priority) in plan.priorities where isRanked {
            byName[endpoint, default: Place()].level = Int32(ranks.firstIndex(of: priority) ?? 0)
        }
        places = services.byEndpoint(byName)
        unnamed = Place(level: usual)
    }

    /// Where the calls of an endpoint belong.
    func place(of endpoint: Endpoint) -> Place {
        let number = Int(endpoint.number)
        guard number < places.count, let place = places[number] else { return unnamed }
        return place
    }
}
