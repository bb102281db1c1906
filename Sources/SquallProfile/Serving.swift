public import SquallFormat

extension Profile {
    /// Who works, on what first, and what becomes of requests that nobody waits for any more.
    public struct Serving: Hashable, Sendable {
        /// How many workers there are from when on, in the file's order.
        public var stages: [WorkerStage]
        /// Whom a worker takes next.
        public var order: ServingOrder
        /// How important the calls of endpoints are.
        public var priorities: [String: Int64]
        /// When a request that has waited too long is turned away.
        public var lateness: Lateness
        /// What a client that gives up means to the server.
        public var abandonment: Abandonment
        /// Workers who do the calls of some endpoints only.
        public var pools: [Pool]
        /// What workers ask before they can answer; nil for nothing.
        public var database: Database?
    }

    /// From when on there are so many workers.
    public struct WorkerStage: Hashable, Sendable {
        /// From when on, from the beginning of the run.
        public var atNanoseconds: Int64
        /// How many.
        public var workers: Int64
    }

    /// Whom a worker takes next.
    public enum ServingOrder: String, Hashable, Sendable, CaseIterable {
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
        /// The moment it has waited too long.
        case leaves
    }

    /// What a client that gives up means to the server.
    public enum Abandonment: String, Hashable, Sendable, CaseIterable {
        /// Nothing.
        case ignored
        /// Its request leaves the line.
        case leavesLine
        /// The same, and whoever works on it stops.
        case freesWorker
    }

    /// Workers with a line of their own, for the calls of some endpoints.
    public struct Pool: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Whose calls it serves, and nobody else does.
        public var endpoints: [String]
        /// How many requests are served at once.
        public var workers: Int64
        /// How many requests wait at most.
        public var queueLimit: Int64
        /// How many workers there are from when on, in the file's order.
        public var stages: [WorkerStage]
    }

    /// A database behind the workers.
    public struct Database: Hashable, Sendable {
        /// How many queries it works on at once.
        public var connections: Int64
        /// How long a query takes before its rows count: a distribution.
        public var queryTime: CheckedSetting
        /// How many rows it reads a second; nil for as many as asked.
        public var rowsPerSecond: Double?
        /// Whose calls ask it; empty for all.
        public var endpoints: [String]
    }
}

extension Profile.Serving {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        stages = read.workerStages()
        order = read(
            "order", .choice(Profile.ServingOrder.self), otherwise: "fifo",
            "Whom a worker takes next; in a full line whoever would be last is turned away.")
        priorities = read(
            "priorities", .each(of: vocabulary.endpoints, called: "endpoints", .integer(-9...9)),
            otherwise: [:],
            "With order priority, how important the calls of endpoints are; 0 by default.")
        lateness = read(
            "late", .choice(Profile.Lateness.self), otherwise: "found",
            "With waitLimit, who turns late requests away: the worker who finds one, or the line"
                + " at that moment, which makes room.")
        abandonment = read(
            "abandoned", .choice(Profile.Abandonment.self), otherwise: "ignored",
            "What a call that its client gives up does at the server: nothing (ignored), leave the"
                + " line, or free its worker too.")
        pools = read(
            "pools", .list(of: .section { Profile.Pool(&$0, vocabulary) }, 0...100),
            otherwise: [],
            "Workers with a line of their own, who do the calls of some endpoints and no others.")
        database = read.optional(
            "database", .section { Profile.Database(&$0, vocabulary) },
            "What every worker asks after its own work; there is none by default.")
    }

    /// Refuses what would have no effect, and endpoints that two pools want.
    func check(_ read: inout SettingsReader, hasWaitLimit: Bool) {
        if !priorities.isEmpty, order != .priority, read.isSound("order", "priorities") {
            let path = read.path.appending("priorities")
            read.report(
                at: path,
                "\(path) says nothing unless order is \"priority\", got \"\(order.rawValue)\"")
        }
        if lateness == .leaves, !hasWaitLimit, read.isSound("late", "waitLimit") {
            let path = read.path.appending("late")
            read.report(
                at: path, "\(path) \"leaves\" needs a waitLimit; without one nobody is late")
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
            for endpoint in pool.endpoints {
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
    fileprivate mutating func workerStages() -> [Profile.WorkerStage] {
        self(
            "workerStages", .list(of: .section { Profile.WorkerStage(&$0) }, 0...1_000),
            otherwise: [],
            "How many workers there are from when on; those who are to go finish their work.")
    }
}

extension Profile.WorkerStage {
    init(_ read: inout SettingsReader) {
        atNanoseconds = read(
            "at", .duration(0...Span.year), "From when on, from the beginning of the run.")
        workers = read("workers", .integer(0...1_000_000), "How many workers there are then.")
    }
}

extension Profile.Pool {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        name = read("name", .text(1...40), "What results call it.")
        endpoints = read(
            "endpoints",
            .list(of: vocabulary.endpoint, 1...100).described(as: "list of endpoints"),
            "Whose calls it serves, and nobody else does.")
        workers = read(
            "workers", .integer(1...1_000_000), "How many of them are served at once.")
        queueLimit = read(
            "queueLimit", .integer(0...100_000_000), otherwise: 10_000,
            "How many of them wait at most; more are turned away.")
        stages = read.workerStages()
    }
}

extension Profile.Database {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        connections = read(
            "connections", .integer(1...1_000_000),
            "How many queries it works on at once; workers wait for one, first come first.")
        queryTime = read(
            "queryTime", vocabulary.distribution(0...Span.hour),
            otherwise: ["exponential": ["mean": "2ms"]],
            "How long a query holds its connection before its rows count.")
        rowsPerSecond = read.optional(
            "rowsPerSecond", .number(1...1_000_000_000_000),
            "How many rows it reads a second for all together; no limit by default.")
        endpoints =
            read.optional(
                "endpoints",
                .list(of: vocabulary.endpoint, 1...100).described(as: "list of endpoints"),
                "Whose calls ask it; all by default.") ?? []
    }
}
