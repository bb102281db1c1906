import SquallKernel
import Testing

@testable import SquallBackend

private let millisecond: Int64 = 1_000_000

/// A world with one worker who takes 100 ms, or as a test wants it.
private func world(
    seed: UInt64 = 1, serviceMilliseconds: Int64 = 100,
    _ change: @escaping (inout BackendWorldPlan) -> Void = { _ in }
) -> BackendWorld {
    BackendWorld(seed: seed) { plan in
        plan.network.connectionsPerHost = 200
        plan.server.workers = 1
        plan.server.serviceTime = .constant(nanoseconds: serviceMilliseconds * millisecond)
        change(&plan)
    }
}

@Suite("The order in which workers take requests")
struct ServingOrderTests {
    @Test("With the newest first, the request that waited longest goes last")
    func newestFirst() throws {
        let far = world { $0.server.serving.order = .lifo }
        far.send(4)
        try far.run()
        #expect(
            far.ends == ["0 ok at 140 ms", "3 ok at 240 ms", "2 ok at 340 ms", "1 ok at 440 ms"])
    }

    @Test("In a full queue of the newest first, the request that waited longest loses its place")
    func fullLine() throws {
        let far = world { plan in
            plan.server.serving.order = .lifo
            plan.server.queueLimit = 2
        }
        far.send(5)
        try far.run()
        #expect(
            far.ends == [
                "1 503 at 40 ms", "2 503 at 40 ms", "0 ok at 140 ms", "4 ok at 240 ms",
                "3 ok at 340 ms",
            ])
        #expect(far.line("likes2")?.rejected == 2 && far.line("likes2")?.mostWaiting == 2)
    }

    @Test("A request of higher priority goes first, and takes the place of a lower one")
    func priority() throws {
        let far = world { plan in
            plan.server.serving.order = .priority
            plan.server.serving.priorities = ["posts": 5]
            plan.server.queueLimit = 2
        }
        far.send(3)
        far.send(1, path: "/v1/posts", first: 3, after: 1)
        far.send(1, first: 4, after: 2)
        try far.run()
        // 2 came last of the unimportant ones, so its place is the important one's; 4 finds none.
        #expect(
            far.ends == [
                "2 503 at 40 ms", "4 503 at 40 ms", "0 ok at 140 ms", "3 ok at 240 ms",
                "1 ok at 340 ms",
            ])
    }

    @Test(
        "A worker takes the request whose turn it is, in any order of arrivals",
        arguments: ServingPlan.Order.allCases, [1, 2, 3] as [UInt64])
    func turns(order: ServingPlan.Order, seed: UInt64) throws {
        let far = world(seed: seed) { plan in
            plan.network.up = .exponential(mean: 400_000_000)
            plan.server.serviceTime = .exponential(mean: 20_000_000)
            plan.server.workers = 2
            plan.server.serving.order = order
            plan.server.serving.priorities = ["posts": 1]
        }
        far.send(60)
        far.send(60, path: "/v1/posts", first: 60)
        try far.run()
        let log = far.log.served
        #expect(log.count == 120 && log.count { $0.waitNanoseconds > 0 } > 60)
        for taken in log where taken.waitNanoseconds > 0 {
            let others = log.filter { $0.arrived < taken.started && $0.started > taken.started }
            #expect(others.allSatisfy { Self.goesFirst(taken, before: $0, order) })
        }
    }

    private static func goesFirst(
        _ one: ServerRecord, before other: ServerRecord, _ order: ServingPlan.Order
    ) -> Bool {
        let important = { (record: ServerRecord) in record.endpoint.name == "posts" ? 0 : 1 }
        switch order {
        case .fifo: return one.arrived <= other.arrived
        case .lifo: return one.arrived >= other.arrived
        case .priority:
            return (important(one), one.arrived) <= (important(other), other.arrived)
        }
    }
}

@Suite("Requests that stop waiting")
struct LeavingTests {
    @Test("A request that leaves at its wait limit frees its place in the queue")
    func late() throws {
        let far = world { plan in
            plan.server.queueLimit = 1
            plan.server.waitLimitNanoseconds = 30 * millisecond
            plan.server.serving.lateness = .leaves
        }
        far.send(2)
        far.send(1, first: 2, after: 85 * millisecond)
        try far.run()
        // 1 leaves at 50 ms, 20 ms from its client; 2 comes at 105 ms and begins at 120 ms.
        #expect(far.ends == ["1 503 at 70 ms", "0 ok at 140 ms", "2 ok at 240 ms"])
        #expect(far.line("likes2")?.rejected == 1 && far.line("likes2")?.waiting == 0)
    }

    @Test("A request past its wait limit leaves when a worker finds it")
    func found() throws {
        let far = world { $0.server.waitLimitNanoseconds = 30 * millisecond }
        far.send(2)
        try far.run()
        #expect(far.ends == ["0 ok at 140 ms", "1 503 at 140 ms"])
    }

    @Test(
        "A client that gives up costs the server its whole work, a place in line, or nothing more",
        arguments: [
            (.ignored, 200, 0, "2 ok at 340 ms"), (.leavesLine, 100, 1, "2 ok at 240 ms"),
            (.freesWorker, 50, 2, "2 ok at 220 ms"),
        ] as [(ServingPlan.Abandonment, Int64, Int64, String)])
    func abandonment(
        rule: ServingPlan.Abandonment, busy: Int64, letGo: Int64, third: String
    ) throws {
        let far = world { $0.server.serving.abandonment = rule }
        // Both are given up after 50 ms; the server, 20 ms away, learns of it at 70 ms.
        far.send(2, cancelAfterNanoseconds: 50 * millisecond)
        far.send(1, path: "/v1/posts", first: 2, after: 80 * millisecond)
        try far.run()
        #expect(far.ends.prefix(2) == ["0 cancelled at 50 ms", "1 cancelled at 50 ms"])
        #expect(far.ends.last == third)
        let own = far.counters.server.workers.busy.area(at: .max) / Int128(millisecond)
        #expect(own == Int128(busy) + 100 && far.counters.abandoned == letGo)
        #expect(far.line("likes2")?.abandoned ?? 0 == letGo)
        try far.backend.checkConservation()
    }

    @Test("A request whose client gave up before it arrived is not served")
    func before() throws {
        let far = world { plan in
            plan.server.serving.abandonment = .leavesLine
            plan.faults = [Fault(.latency(factor: 5, added: .constant(nanoseconds: 0)))]
        }
        far.send(1, cancelAfterNanoseconds: 5 * millisecond)
        try far.run()
        #expect(far.counters.abandoned == 1 && far.counters.server.workers.busy.area(at: .max) == 0)
        try far.backend.checkConservation()
    }
}

@Suite("Workers over time, in pools, and slowed down")
struct WorkersTests {
    @Test("More workers take waiting requests at once; fewer finish what they work on")
    func stages() throws {
        let far = world { plan in
            plan.server.serving.stages = [
                WorkerStage(start: Instant(nanoseconds: 60 * millisecond), workers: 3),
                WorkerStage(start: Instant(nanoseconds: 130 * millisecond), workers: 1),
            ]
        }
        far.send(5)
        try far.run()
        // One from 20 ms; two more from 60 ms, and who comes after the first at 120 ms; from 130 ms
        // on nobody is taken before all but one have finished.
        #expect(
            far.ends == [
                "0 ok at 140 ms", "1 ok at 180 ms", "2 ok at 180 ms", "3 ok at 240 ms",
                "4 ok at 340 ms",
            ])
    }

    @Test("A capacity fault limits the workers that the plan has at that moment")
    func stagesAndFault() throws {
        let far = world { plan in
            plan.server.workers = 4
            plan.server.serving.stages = [
                WorkerStage(start: Instant(nanoseconds: 50 * millisecond), workers: 2)
            ]
            plan.faults = [
                Fault(
                    .capacity(workers: 3), from: Instant(nanoseconds: 10 * millisecond),
                    to: Instant(nanoseconds: 90 * millisecond))
            ]
        }
        far.send(6)
        try far.run()
        let starts = far.log.served.map { $0.started.nanoseconds / millisecond }
        #expect(starts.sorted() == [20, 20, 20, 120, 120, 220])
    }

    @Test("A pool's calls wait for its workers only, and other calls never wait for them")
    func pools() throws {
        let far = world { plan in
            plan.server.serving.pools = [
                PoolPlan(
                    name: "lists", endpoints: ["posts"], workers: 1, queueLimit: 1, stages: [])
            ]
        }
        far.send(3)
        far.send(3, path: "/v1/posts", first: 3)
        try far.run()
        #expect(
            far.ends == [
                "5 503 at 40 ms", "0 ok at 140 ms", "3 ok at 140 ms", "1 ok at 240 ms",
                "4 ok at 240 ms", "2 ok at 340 ms",
            ])
        let pools = far.counters.server.pools
        #expect(pools.map(\.name) == ["", "lists"])
        #expect(pools.map { $0.busy.area(at: .max) / Int128(millisecond) } == [300, 200])
        #expect(pools.map(\.waiting.highest) == [2, 1])
        let all = far.counters.server.workers
        #expect(all.busy.area(at: .max) == Int128(500 * millisecond) && all.busy.highest == 2)
        #expect(all.present.highest == 2 && all.waiting.highest == 3)
        #expect(Set(far.log.served.compactMap(\.worker)).count == 2)
    }

    @Test("A slow server takes a multiple of the time and more for the calls it concerns")
    func slow() throws {
        let far = world { plan in
            var fault = Fault(
                .slowServer(factor: 3, added: .constant(nanoseconds: 7 * millisecond)),
                to: Instant(nanoseconds: 100 * millisecond))
            fault.scope.endpoints = ["likes2"]
            plan.faults = [fault]
            plan.server.workers = 2
        }
        far.send(1)
        far.send(1, path: "/v1/posts", first: 1)
        far.send(1, first: 2, after: 100 * millisecond)
        try far.run()
        #expect(far.ends == ["1 ok at 140 ms", "2 ok at 240 ms", "0 ok at 347 ms"])
    }
}

@Suite("The database behind the workers")
struct DatabaseTests {
    private static func plan(
        connections: Int = 1, queryMilliseconds: Int64 = 10, rowsPerSecond: Double? = nil
    ) -> DatabasePlan {
        DatabasePlan(
            connections: connections,
            queryTime: .constant(nanoseconds: queryMilliseconds * millisecond),
            rowsPerSecond: rowsPerSecond, endpoints: [])
    }

    @Test("Workers wait for a connection, first come, first served, and are busy meanwhile")
    func connections() throws {
        let far = world(serviceMilliseconds: 5) { plan in
            plan.server.workers = 3
            plan.server.serving.database = Self.plan()
        }
        far.send(4)
        try far.run()
        // 5 ms of work each; queries of 10 ms one after the other from 25 ms on. The fourth is
        // taken when the first is done, and asks at 40 ms.
        #expect(
            far.ends == ["0 ok at 55 ms", "1 ok at 65 ms", "2 ok at 75 ms", "3 ok at 85 ms"])
        let server = far.counters.server
        let busy = Int128(105 * millisecond)  // 15 + 25 + 35 + 30
        #expect(server.workers.busy.area(at: .max) == busy)
        let database = try #require(server.database)
        #expect(database.queries == 4 && database.connections.waiting.highest == 2)
        #expect(database.connections.busy.area(at: .max) == Int128(40 * millisecond))
    }

    @Test("Waits for one connection are Lindley's", arguments: 1...5 as ClosedRange<UInt64>)
    func lindley(seed: UInt64) throws {
        let far = world(seed: seed) { plan in
            plan.network.up = .exponential(mean: 300_000_000)
            plan.server.workers = 500
            plan.server.serviceTime = .constant(nanoseconds: 0)
            plan.server.serving.database = Self.plan(queryMilliseconds: 4)
        }
        far.send(100)
        try far.run()
        var free: Int64 = 0
        for record in far.log.served.sorted(by: { $0.arrived < $1.arrived }) {
            free = max(free, record.arrived.nanoseconds) + 4 * millisecond
            #expect(record.replied.nanoseconds == free)
        }
    }

    @Test("All connections read from one disk, so many rows a second")
    func rows() throws {
        let far = world { plan in
            plan.server.workers = 9
            plan.server.serviceTime = .constant(nanoseconds: 0)
            plan.server.serving.database = Self.plan(
                connections: 9, queryMilliseconds: 0, rowsPerSecond: 1_000)
        }
        far.send(3, path: "/v1/posts")
        try far.run()
        let rows = try #require(far.log.served.first).rowsScanned
        let ends = far.log.served.map { $0.replied.nanoseconds / millisecond - 20 }
        #expect(rows > 0 && ends == [1, 2, 3].map { Int64($0 * rows) })
        #expect(far.counters.server.database?.rows == Int64(3 * rows))
    }

    @Test("A worker that is freed gives its connection, or its place before it, back")
    func freed() throws {
        let far = world(serviceMilliseconds: 0) { plan in
            plan.server.workers = 9
            plan.server.serving.database = Self.plan(queryMilliseconds: 100)
            plan.server.serving.abandonment = .freesWorker
        }
        far.send(2, cancelAfterNanoseconds: 30 * millisecond)
        far.send(1, first: 2, after: millisecond)
        try far.run()
        // The first has the connection from 20 ms until the server learns at 50 ms that it is gone.
        #expect(far.ends.last == "2 ok at 170 ms" && far.counters.abandoned == 2)
        let connections = far.counters.server.database?.connections
        #expect(connections?.busy.area(at: .max) == Int128(130 * millisecond))
        try far.backend.checkConservation()
    }

    @Test("Calls that send no query do not wait for the database")
    func others() throws {
        let far = world(serviceMilliseconds: 5) { plan in
            plan.server.workers = 3
            plan.server.serving.database = Self.plan()
            plan.server.serving.database?.endpoints = ["posts"]
        }
        far.send(2)
        far.send(1, path: "/v1/posts", first: 2)
        try far.run()
        #expect(far.ends == ["0 ok at 45 ms", "1 ok at 45 ms", "2 ok at 55 ms"])
    }
}
