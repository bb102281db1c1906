public import SquallFormat
public import SquallKernel

/// How much the server can do at once, and what it turns away.
public struct ServerPlan: Hashable, Sendable {
    /// The number of requests that are worked on at once.
    public var workers: Int
    /// The number of requests that may wait; one more is turned away.
    public var queueLimit: Int
    /// The time of the work on one request.
    public var serviceTime: Distribution
    /// The service time of endpoints where it differs, by their names.
    public var serviceTimes: [String: Distribution]
    /// The time of refusing a call whose access token has expired; `nil` where that takes as long
    /// as the call's own work.
    public var refusalTime: Distribution?
    /// The time that each object of a list in the response adds.
    public var perItemNanoseconds: Int64
    /// The time that each scanned row adds.
    public var perScannedRowNanoseconds: Int64
    /// A request that has waited longer is turned away, when `serving.lateness` says.
    public var waitLimitNanoseconds: Int64?
    /// How often one user may call; more is refused.
    public var userRate: RateLimit?
    /// How often all users of one key may call; more is refused.
    public var keyRate: RateLimit?
    /// How long clients that are turned away are asked to stay away; with `nil` no client is asked,
    /// also when it calls too often.
    public var retryAfterNanoseconds: Int64?
    /// How far each worker's clock is ahead or behind at most, drawn evenly.
    public var clockSkewNanoseconds: Int64
    /// Which workers there are, what they take next and for which calls.
    public var serving: ServingPlan
}

/// How often a caller may call.
public struct RateLimit: Hashable, Sendable {
    /// Time in which one more call is earned.
    public let intervalNanoseconds: Int64
    /// How many calls can be saved up.
    public let burst: Int64

    /// A limit by its long-term rate, in calls a second, and what may come at once.
    ///
    /// - Precondition: both are positive.
    public init(perSecond: Double, burst: Int64) {
        precondition(
            perSecond > 0 && burst > 0, "no rate limit of \(perSecond)/s with burst \(burst)")
        intervalNanoseconds = max(1, Int64((1e9 / perSecond).rounded()))
        self.burst = burst
    }
}

extension ServerPlan {
    /// The server of a profile that says nothing about it.
    public static let standard =
        SettingFormat.section { ServerPlan(&$0, endpoints: []) }.placeholder()

    /// Reads the plan as a section of a profile's backend that has these endpoints.
    public init(_ read: inout SettingsReader, endpoints: [String]) {
        let time = SettingFormat.distribution(0...Span.hour)
        workers = read(
            "workers", .integer(1...1_000_000), otherwise: 64,
            "How many requests are served at once.")
        queueLimit = read(
            "queueLimit", .integer(0...100_000_000), otherwise: 10_000,
            "How many requests wait at most; more are rejected.")
        serviceTime = read(
            "serviceTime", time,
            otherwise: ["logNormal": ["median": "20ms", "sigma": .number(0.5), "max": "5s"]],
            "Time a worker needs for a request.")
        serviceTimes = read(
            "serviceTimes", .each(of: endpoints, called: "endpoints", time),
            otherwise: [:], "Times by endpoint, where they differ.")
        refusalTime = read.optional(
            "refusalTime", time,
            "Time a worker needs to refuse an expired token; a call's own time by default.")
        perItemNanoseconds = read(
            "perItem", .duration(0...Span.hour), otherwise: "0s",
            "What each object of a list in the response adds.")
        perScannedRowNanoseconds = read(
            "perScannedRow", .duration(0...Span.hour), otherwise: "0s",
            "What each row that was looked at adds.")
        waitLimitNanoseconds = read.optional(
            "waitLimit", .duration(0...Span.hour),
            "Requests that have waited longer are answered 503 unserved; no limit by default.")
        userRate = read.optional(
            "userRate", .section { RateLimit(&$0) },
            "How often one user may call; more is answered 429. No limit by default.")
        keyRate = read.optional(
            "keyRate", .section { RateLimit(&$0) },
            "How often all users of an app may call; more is answered 429. No limit by default.")
        retryAfterNanoseconds = read.optional(
            "retryAfter", .duration(Span.second...Span.hour),
            "Retry-After of a 503; a 429 then says its own. No such header by default.")
        clockSkewNanoseconds = read(
            "clockSkew", .duration(0...Span.day), otherwise: "0s",
            "How wrong each worker's clock is at most when it judges and issues tokens.")
        serving = ServingPlan(&read, endpoints)
        serving.check(&read, hasWaitLimit: waitLimitNanoseconds != nil)
    }
}

extension RateLimit {
    fileprivate init(_ read: inout SettingsReader) {
        self.init(
            perSecond: read(
                "perSecond", .number(0.001...1_000_000), "Calls a second in the long run."),
            burst: read(
                "burst", .integer(1...1_000_000), otherwise: 1, "Calls that can be saved up."))
    }
}

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
        /// Nothing: the work is done, and the response is dropped.
        case ignored
        /// The request leaves the line, if it is still there.
        case leavesLine
        /// The request leaves the line, and a worker or connection that is busy with it is free at
        /// once.
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
    /// The pool's name in results.
    public var name: String
    /// The endpoints whose calls it serves.
    public var endpoints: Set<String>
    /// The number of requests that are worked on at once.
    public var workers: Int
    /// The number of requests that may wait.
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

extension ServingPlan {
    init(_ read: inout SettingsReader, _ endpoints: [String]) {
        stages = read.workerStages()
        order = read(
            "order", .choice(Order.self), otherwise: "fifo",
            "Which request a worker takes next; a full queue turns away the last in that order.")
        priorities = read(
            "priorities", .each(of: endpoints, called: "endpoints", .integer(-9...9)),
            otherwise: [:],
            "With order priority, how important the calls of endpoints are; 0 by default.")
        lateness = read(
            "late", .choice(Lateness.self), otherwise: "found",
            "With waitLimit, when late requests are rejected: when a worker finds one, or at that"
                + " moment, which frees its place in the queue.")
        abandonment = read(
            "abandoned", .choice(Abandonment.self), otherwise: "ignored",
            "What a call that its client gives up does at the server: nothing (ignored), leave the"
                + " line, or free its worker too.")
        pools = read(
            "pools", .list(of: .section { PoolPlan(&$0, endpoints) }, 0...100),
            otherwise: [],
            "Workers with a line of their own, who do the calls of some endpoints and no others.")
        database = read.optional(
            "database", .section { DatabasePlan(&$0, endpoints) },
            "What every worker asks after its own work; there is none by default.")
    }

    /// Refuses what would have no effect, and endpoints that two pools want.
    func check(_ read: inout SettingsReader, hasWaitLimit: Bool) {
        if !priorities.isEmpty, order != .priority, read.isSound("order", "priorities") {
            read.refuse(
                "priorities",
                "says nothing unless order is \"priority\", got \"\(order.rawValue)\"")
        }
        if lateness == .leaves, !hasWaitLimit, read.isSound("late", "waitLimit") {
            read.refuse("late", "\"leaves\" needs a waitLimit; without one no request is late")
        }
        checkPools(&read)
    }

    private func checkPools(_ read: inout SettingsReader) {
        guard read.isSound("pools") else { return }
        var (names, owners) = (Set<String>(), [String: String]())
        for (index, pool) in pools.enumerated() {
            let path = read.path.appending("pools").appending(index)
            if !names.insert(pool.name).inserted {
                let path = path.appending("name")
                read.report(at: path, "\(path) \"\(pool.name)\" is taken by an earlier pool")
            }
            for endpoint in pool.endpoints.sorted() {
                if let owner = owners[endpoint] {
                    let path = path.appending("endpoints")
                    read.report(
                        at: path, "\(path): \"\(endpoint)\" is in the pool \"\(owner)\" already")
                }
                owners[endpoint] = pool.name
            }
        }
    }
}

extension SettingsReader {
    fileprivate mutating func workerStages() -> [WorkerStage] {
        self(
            "workerStages", .list(of: .section { WorkerStage(&$0) }, 0...1_000),
            otherwise: [],
            "How many workers there are from when on; those who are to go finish their work.")
    }
}

extension WorkerStage {
    init(_ read: inout SettingsReader) {
        start = Instant(
            nanoseconds: read(
                "at", .duration(0...Span.year), "From when on, from the beginning of the run."))
        workers = read("workers", .integer(0...1_000_000), "How many workers there are then.")
    }
}

extension PoolPlan {
    init(_ read: inout SettingsReader, _ endpoints: [String]) {
        name = read("name", .text(1...40), "What results call it.")
        self.endpoints = read(
            "endpoints", SettingFormat.endpoints(endpoints).map(Set.init),
            "The endpoints that only this pool serves.")
        workers = read(
            "workers", .integer(1...1_000_000), "How many of their requests are served at once.")
        queueLimit = read(
            "queueLimit", .integer(0...100_000_000), otherwise: 10_000,
            "How many of them may wait; more are rejected.")
        stages = read.workerStages()
    }
}

extension DatabasePlan {
    init(_ read: inout SettingsReader, _ endpoints: [String]) {
        connections = read(
            "connections", .integer(1...1_000_000),
            "How many queries it works on at once; workers wait for one, first come first.")
        queryTime = read(
            "queryTime", .distribution(0...Span.hour),
            otherwise: ["exponential": ["mean": "2ms"]],
            "How long a query holds its connection before its rows count.")
        rowsPerSecond = read.optional(
            "rowsPerSecond", .number(1...1_000_000_000_000),
            "How many rows it reads a second for all together; no limit by default.")
        self.endpoints =
            read.optional(
                "endpoints", SettingFormat.endpoints(endpoints).map(Set.init),
                "The endpoints that query it; all by default.") ?? []
    }
}

extension SettingFormat where Value == [String] {
    /// Names of some of these endpoints.
    public static func endpoints(_ names: [String]) -> SettingFormat {
        .list(of: SettingFormat<String>.words(names).described(as: "name of an endpoint"), 1...100)
            .described(as: "list of endpoints")
    }
}
