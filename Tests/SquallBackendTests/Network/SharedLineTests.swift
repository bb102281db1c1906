import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("A user's line")
struct SharedLineTests {
    /// 138,000 bytes, so a second of a line of as many bytes a second.
    private static let file = "/v1/" + "uploads/posts/novel_m1_1724773384035.pdf"
    private static let speed: Int64 = 138_000

    private func world(
        users: Int = 1, up: Int64? = nil, down: Int64? = nil, timeout: Int64 = 60
    ) -> BackendWorld {
        BackendWorld(users: users) { plan in
            plan.network.connectionsPerHost = 12
            plan.network.timeoutNanoseconds = timeout * 1_000_000_000
            plan.network.uploadBytesPerSecond = up
            plan.network.bandwidthBytesPerSecond = down
            plan.server.workers = 100
        }
    }

    private let second = Body(Array(repeating: 0, count: Int(speed)))

    @Test("Responses that arrive at once share the user's line", arguments: [1, 2, 6, 12])
    func together(count: Int) throws {
        let far = world(down: Self.speed)
        far.send(count, path: Self.file)
        try far.run()
        #expect(far.ends == (0..<count).map { "\($0) ok at \(count * 1_000 + 45) ms" })
    }

    @Test("Requests that leave at once share the user's line", arguments: [1, 2, 6, 12])
    func uploads(count: Int) throws {
        let far = world(up: Self.speed)
        far.send(count, body: second)
        try far.run()
        #expect(far.ends == (0..<count).map { "\($0) ok at \(count * 1_000 + 45) ms" })
    }

    @Test("Each user has a line of its own for all sessions")
    func users() throws {
        let far = world(users: 2, down: Self.speed)
        far.send(1, path: Self.file)
        far.send(1, path: Self.file, user: 1, first: 1)
        far.send(1, path: Self.file, user: 1, first: 2, pool: 1)
        try far.run()
        #expect(far.ends == ["0 ok at 1045 ms", "1 ok at 2045 ms", "2 ok at 2045 ms"])
    }

    @Test("A second transfer takes half of the user's line from its own beginning on")
    func staggered() throws {
        let far = world(down: Self.speed)
        far.send(1, path: Self.file)
        far.send(1, path: Self.file, first: 1, after: 500_000_000)
        try far.run()
        #expect(far.ends == ["0 ok at 1545 ms", "1 ok at 2045 ms"])
    }

    @Test("A cancelled request gives its share back, and never reaches the server")
    func cancelled() throws {
        let far = world(up: Self.speed)
        far.send(1, body: second)
        far.send(1, first: 1, body: second, cancelAfterNanoseconds: 500_000_000)
        try far.run()
        #expect(far.ends == ["1 cancelled at 500 ms", "0 ok at 1295 ms"])
        #expect(far.counters.received == 1 && far.counters.lostRequests == 1)
        try far.backend.checkConservation()
    }

    @Test("A response that times out on the user's line gives its share back")
    func timedOut() throws {
        let far = world(down: Self.speed, timeout: 1)
        far.send(2, path: Self.file)
        far.send(1, path: Self.file, first: 2, after: 500_000_000)
        try far.run()
        // 455 ms for two, 500 ms for three, and the rest of the third's second is its own: it has
        // had 167 ms of it.
        #expect(far.ends.prefix(2) == ["0 timedOut at 1000 ms", "1 timedOut at 1000 ms"])
        #expect(far.ends.last == "2 timedOut at 1500 ms" && far.counters.dropped == 3)
        try far.backend.checkConservation()
    }

    /// A line that is worked out the long way: event by event, with the rest of each transfer.
    private func ends(_ transfers: [(begin: Double, bytes: Double)], speed: Double) -> [Double] {
        var (rest, ends) = (transfers.map(\.bytes), transfers.map { _ in 0.0 })
        var now = 0.0
        while ends.contains(0) {
            let active = transfers.indices.filter { transfers[$0].begin <= now && ends[$0] == 0 }
            let share = speed / Double(max(1, active.count))
            let next = transfers.map(\.begin).filter { $0 > now }.min() ?? .infinity
            let end = active.map { now + rest[$0] / share }.min() ?? .infinity
            let step = min(next, end) - now
            for index in active {
                rest[index] -= step * share
                if now + step == end, rest[index] < 1e-6 { ends[index] = end }
            }
            now += step
        }
        return ends
    }

    @Test("Transfers at any moments end when the long way says, to a nanosecond", arguments: 1...20)
    func longWay(seed: UInt64) {
        let stream = RandomStream(seed: seed)
        let drawn = (0..<12).map { (index: UInt64) -> (begin: Int64, bytes: Int) in
            let begin = stream.integer(below: 1_000_000_000, at: index)
            let bytes = stream.integer(below: 30_000, at: index + 100)
            return (Int64(begin), Int(bytes) + 1)
        }
        let transfers = drawn.sorted { $0.begin < $1.begin }
        var line = SharedLine(bytesPerSecond: 70_000)
        var found = transfers.map { _ in Int64(0) }
        func finish(until moment: Int64, _ now: inout Int64) {
            while let next = line.next, now + next.after <= moment {
                now += next.after
                line.advance(to: Instant(nanoseconds: now))
                _ = line.end(next.number)
                found[Int(next.number)] = now
            }
        }
        var now: Int64 = 0
        for (index, transfer) in transfers.enumerated() {
            finish(until: transfer.begin, &now)
            now = transfer.begin
            line.advance(to: Instant(nanoseconds: now))
            line.begin(UInt64(index), bytes: transfer.bytes, then: nil)
        }
        finish(until: .max / 2, &now)
        let inSeconds = transfers.map { (Double($0.begin) / 1e9, Double($0.bytes)) }
        for (found, exact) in zip(found, ends(inSeconds, speed: 70_000)) {
            let error = Double(found) - exact * 1e9
            #expect(error.magnitude < 20)
        }
    }
}
