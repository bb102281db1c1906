public import SquallFormat
import SquallKernel

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
            let path = read.path.appending("priorities")
            read.report(
                at: path,
                "\(path) says nothing unless order is \"priority\", got \"\(order.rawValue)\"")
        }
        if lateness == .leaves, !hasWaitLimit, read.isSound("late", "waitLimit") {
            let path = read.path.appending("late")
            read.report(
                at: path, "\(path) \"leaves\" needs a waitLimit; without one no request is late")
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
