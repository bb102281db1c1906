import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("The server's capacity")
struct ServerTests {
    @Test("An endpoint's own service time holds for it alone")
    func serviceTimes() throws {
        let far = BackendWorld {
            $0.server.serviceTimes = ["posts": .constant(nanoseconds: 70_000_000)]
        }
        far.send(1, path: "/v1/posts")
        far.send(1, first: 1)
        try far.run()
        #expect(far.ends == ["1 ok at 45 ms", "0 ok at 110 ms"])
    }

    @Test("Each object of a list in the answer takes the worker longer, and only then")
    func perItem() throws {
        let far = BackendWorld { $0.server.perItemNanoseconds = 2_000_000 }
        far.send(1, path: "/v1/posts")
        far.send(1, first: 1)
        try far.run()
        #expect(far.ends == ["1 ok at 45 ms", "0 ok at 55 ms"])
        #expect(far.log.served.map(\.items) == [0, 5])
        #expect(far.counters.server.workers.busy.area(at: .max) == 20_000_000)
    }

    @Test(
        "A request that waited too long is rejected by the next free worker, which goes on at once")
    func waitLimit() throws {
        let far = BackendWorld { plan in
            plan.server.workers = 1
            plan.server.serviceTime = .constant(nanoseconds: 100_000_000)
            plan.server.waitLimitNanoseconds = 150_000_000
        }
        far.send(3)
        far.send(1, first: 3, after: 110_000_000)
        try far.run()
        #expect(
            far.ends == [
                "0 ok at 140 ms", "1 ok at 240 ms", "2 503 at 240 ms", "3 ok at 340 ms",
            ])
        // Taken after 0, 100 and 90 ms; two waited at once, and one of them in vain.
        let line = try #require(far.line("likes2"))
        #expect(line.served == 3 && line.rejected == 1)
        #expect(line.waitNanoseconds == 190_000_000 && line.longestWaitNanoseconds == 100_000_000)
        #expect(line.mostWaiting == 2 && line.waiting == 0)
    }

    @Test("A request that finds the queue full is rejected, and each endpoint is counted apart")
    func endpoints() throws {
        let far = BackendWorld { plan in
            plan.server.workers = 1
            plan.server.queueLimit = 1
        }
        far.send(1, path: "/v1/posts")
        far.send(2, first: 1, after: 1)
        try far.run()
        // The worker needs 5 ms for the first; of the other two, a nanosecond later, one waits.
        let (posts, likes) = (far.line("posts"), far.line("likes2"))
        #expect(posts?.served == 1 && posts?.longestWaitNanoseconds == 0)
        #expect(posts?.mostWaiting == 0 && posts?.rejected == 0)
        #expect(likes?.served == 1 && likes?.longestWaitNanoseconds == 4_999_999)
        #expect(likes?.mostWaiting == 1 && likes?.rejected == 1)
    }

    @Test("With fewer workers those at work finish, and with more again the line moves at once")
    func resizing() {
        var queue = ServerQueue(workers: 2, queueLimit: 9)
        #expect((1...5).map { queue.admit($0) } == [.starts, .starts, .waits, .waits, .waits])
        queue.workers = 1
        #expect(queue.finishOne() == nil && queue.busy == 1)
        #expect(queue.finishOne() == 3 && queue.busy == 1)
        queue.workers = 3
        #expect([queue.startOneWaiting(), queue.startOneWaiting()] == [4, 5] && queue.busy == 3)
        #expect(queue.startOneWaiting() == nil && queue.waiting == 0)
    }

    @Test("A worker's number is handed on, and never held by two", arguments: 1...10)
    func workers(seed: UInt64) throws {
        let far = BackendWorld(seed: seed) { plan in
            plan.server.workers = 3
            plan.server.serviceTime = .exponential(mean: 50_000_000)
            plan.network.connectionsPerHost = 20
            plan.network.up = .exponential(mean: 100_000_000)
        }
        far.send(60)
        try far.run()
        let shifts = Dictionary(grouping: far.log.served) { $0.worker ?? -1 }
        #expect(Set(shifts.keys) == [0, 1, 2])
        for shift in shifts.values.map({ $0.sorted { $0.started < $1.started } }) {
            #expect(zip(shift, shift.dropFirst()).allSatisfy { $0.replied <= $1.started })
        }
    }
}

@Suite("The server's log")
struct ServerLogTests {
    @Test("A line of the server's log has user, arrival, wait, worker and status")
    func line() throws {
        let far = BackendWorld { $0.server.workers = 1 }
        far.send(2)
        try far.run()
        let record = try #require(far.log.served.last)
        #expect(
            record.cause.request == 1 && record.endpoint.name == "likes2" && record.status == 200)
        #expect(record.arrived.nanoseconds == 20_000_000 && record.worker == 0)
        #expect(record.waitNanoseconds == 5_000_000)
        #expect(record.replied.nanoseconds == 30_000_000 && record.tokenGeneration == 0)
        #expect(record.bytes == 29 && !record.isDuplicate)
    }

    @Test("A rejected request has a line in the log, with no worker and no service")
    func refused() throws {
        let far = BackendWorld { plan in
            plan.server.workers = 0
            plan.server.queueLimit = 0
        }
        far.send(1)
        try far.run()
        let record = try #require(far.log.served.first)
        #expect(record.status == 503 && record.worker == nil)
        #expect(record.waitNanoseconds == 0 && record.replied == record.started)
    }

    @Test("A request that its worker drops is abandoned, and not served")
    func dropped() throws {
        let far = BackendWorld { plan in
            plan.server.serviceTime = .constant(nanoseconds: 100_000_000)
            plan.server.serving.abandonment = .freesWorker
        }
        far.send(1, cancelAfterNanoseconds: 30_000_000)
        far.send(1, first: 1)
        try far.run()
        let line = try #require(far.line("likes2"))
        #expect(line.taken == 2 && line.abandoned == 1 && line.served == 1)
    }
}
