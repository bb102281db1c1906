import Testing

@testable import SquallFit

@Suite("Service times of a log")
struct ServiceTimeTests {
    /// Requests at random before two workers, first come, first served, that work for 70 ms.
    private static func requests(seed: Int, load: Double, count: Int) -> [LoggedRequest] {
        var units = Units01(seed: seed)
        var (now, free) = (0.0, [0.0, 0.0])
        return (0..<count).map { (index: Int) -> LoggedRequest in
            now += units.exponential(0.035 / load)
            let place = free[0] < free[1] ? 0 : 1
            let end = max(now, free[place]) + units.exponential(0.070)
            free[place] = end
            return LoggedRequest(
                began: Int64(now * 1e9), duration: Int64((end - now) * 1e9),
                person: UInt32(index % 50 + 1), call: 0, status: 200, isNextPage: false)
        }
    }

    @Test("Where a few requests may have waited unseen, the interval of the work leaves room")
    func unseenWaits() throws {
        var (told, held) = (0, 0)
        for seed in 1...60 {
            let own = Self.requests(seed: seed, load: 0.2, count: 1_200)
            let server = ServerTimes(own, resolution: 1_000, isExact: true)
            guard server.workers == nil, server.isWorkKnown else { continue }
            let times = server.services.flatMap(\.value)
            let law = FittedLaw(times, resolution: 1_000, unknown: (server.unseenWait, 0))
            let mean = try #require(law?.mean)
            told += 1
            let (low, high): (Double, Double) = (mean.low ?? 0, mean.high ?? 0)
            if low <= 70e6, high >= 70e6 { held += 1 }
        }
        #expect(told > 10)
        #expect(held * 10 >= told * 9, "\(held) of \(told)")
    }
}
