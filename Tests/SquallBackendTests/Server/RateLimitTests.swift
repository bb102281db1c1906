import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Rate limits")
struct RateLimitTests {
    /// Calls at instants, each allowed (+) or with the time it would have to wait.
    @Test(
        "A bucket gives out its burst at once and one call in each interval after that",
        arguments: [
            (1, [0, 0, 99, 100, 100], ["+", "100", "1", "+", "100"]),
            (3, [0, 0, 0, 0, 50, 100, 100], ["+", "+", "+", "100", "50", "+", "100"]),
            (2, [0, 1_000, 1_000, 1_000], ["+", "+", "+", "100"]),
            (2, [0, 30, 60, 130, 199, 200], ["+", "+", "40", "+", "1", "+"]),
        ] as [(Int64, [Int64], [String])])
    func bucket(burst: Int64, calls: [Int64], expected: [String]) {
        var limiter = RateLimiter<Int>(RateLimit(perSecond: 1e7, burst: burst))
        let outcomes = calls.map { moment in
            let now = Instant(nanoseconds: moment)
            let wait = limiter.wait(7, at: now)
            if wait == 0 { limiter.charge(7, at: now) }
            return wait == 0 ? "+" : "\(wait)"
        }
        #expect(outcomes == expected)
    }

    @Test("A user gets at most burst plus rate times time, in any window", arguments: 1...20)
    func bound(seed: UInt64) {
        let limit = RateLimit(perSecond: 1e6, burst: 5)
        var limiter = RateLimiter<Int>(limit)
        let stream = RandomStream(seed: seed)
        var now: Int64 = 0
        var allowed: [Int64] = []
        for call in 0..<500 {
            now += Int64(stream.integer(below: 600, at: UInt64(call)))
            guard limiter.wait(1, at: Instant(nanoseconds: now)) == 0 else { continue }
            limiter.charge(1, at: Instant(nanoseconds: now))
            allowed.append(now)
        }
        for first in allowed.indices.dropLast(5) {
            #expect(allowed[first + 5] - allowed[first] >= 1_000)
        }
    }

    @Test("A user's limit is the user's own, a key's is everybody's")
    func scopes() throws {
        for (perUser, expected) in [(true, 4), (false, 2)] {
            let far = BackendWorld(users: 2) { plan in
                let limit = RateLimit(perSecond: 1, burst: 2)
                if perUser { plan.server.userRate = limit } else { plan.server.keyRate = limit }
            }
            far.send(3, user: 0)
            far.send(3, user: 1, first: 3)
            try far.run()
            #expect(far.ends.count { $0.contains("ok") } == expected)
            #expect(far.ends.count { $0.contains("429 at 40 ms") } == 6 - expected)
        }
    }

    @Test("A wrong key and an unknown address are answered as such and count as no call")
    func order() throws {
        let far = BackendWorld { $0.server.keyRate = RateLimit(perSecond: 1, burst: 1) }
        far.send(1, key: "wrong")
        far.send(1, path: "/v1/nothing", first: 1)
        far.send(2, first: 2)
        try far.run()
        #expect(
            Set(far.ends) == [
                "0 420 at 45 ms", "1 444 at 45 ms", "2 ok at 45 ms", "3 429 at 40 ms",
            ]
        )
    }

    @Test("Retry-After is sent where the plan says so, in whole seconds, rounded up")
    func retryAfter() throws {
        for (seconds, expected) in [(Int64?.none, [nil, nil]), (30, ["30", "2"])] {
            let far = BackendWorld { plan in
                plan.server.retryAfterNanoseconds = seconds.map { $0 * 1_000_000_000 }
                plan.server.workers = 0
                plan.server.queueLimit = 0
                plan.server.userRate = RateLimit(perSecond: 0.8, burst: 1)
            }
            far.send(2)
            try far.run()
            #expect(far.log.answers.map(\.head.statusCode) == [503, 429])
            #expect(far.log.answers.map { $0.head.headers["Retry-After"] } == expected)
        }
    }
}
