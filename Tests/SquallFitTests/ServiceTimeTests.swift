import Testing

@testable import SquallFit

@Suite("Service times of a log")
struct ServiceTimeTests {
    /// Requests at random before two or three workers, first come, first served, that work for
    /// 70 ms.
    private static func requests(
        seed: Int, load: Double, workers: Int = 2, count: Int
    ) -> [LoggedRequest] {
        var units = Units01(seed: seed)
        var (now, free) = (0.0, [Double](repeating: 0, count: workers))
        return (0..<count).map { (index: Int) -> LoggedRequest in
            now += units.exponential(0.070 / Double(workers) / load)
            let place = free.indices.min { free[$0] < free[$1] } ?? 0
            let end = max(now, free[place]) + units.exponential(0.070)
            free[place] = end
            return LoggedRequest(
                began: Int64(now * 1e9), duration: Int64((end - now) * 1e9),
                person: UInt32(index % 50 + 1), call: 0, status: 200, isNextPage: false)
        }
    }

    @Test(
        "Where a few requests may have waited unseen, the interval of the work is wider",
        arguments: [(workers: 2, load: 0.2, count: 1_200), (3, 0.27, 2_000)])
    func unseenWaits(workers: Int, load: Double, count: Int) throws {
        var (told, held) = (0, 0)
        for seed in 1...60 {
            let own = Self.requests(seed: seed, load: load, workers: workers, count: count)
            let server = ServerTimes(own, resolution: 1_000, isExact: true)
            guard server.workers == nil, server.isWorkKnown else { continue }
            let times = server.services.flatMap(\.value)
            let law = FittedLaw(times, resolution: 1_000, unknown: server.unknownWait)
            let mean = try #require(law?.mean)
            told += 1
            let (low, high): (Double, Double) = (mean.low ?? 0, mean.high ?? 0)
            if low <= 70e6, high >= 70e6 { held += 1 }
        }
        #expect(told > 10)
        #expect(held * 10 >= told * 9, "\(held) of \(told)")
    }

    @Test("The mean of all calls has their shares, though less is certain of those of one screen")
    func shares() throws {
        var units = Units01(seed: 3)
        var (now, free, made) = (0.0, [0.0, 0.0], [LoggedRequest]())
        for screen in 0..<4_000 {
            now += units.exponential(0.2)
            let isPair = screen % 2 == 0
            for call in isPair ? [Int32(0), 1] : [2] {
                let place = free[0] < free[1] ? 0 : 1
                let end = max(now, free[place]) + units.exponential(isPair ? 0.02 : 0.12)
                free[place] = end
                made.append(
                    LoggedRequest(
                        began: Int64(now * 1e9), duration: Int64((end - now) * 1e9),
                        person: UInt32(screen % 50 + 1), call: call, status: 200,
                        isNextPage: false))
            }
        }
        let server = ServerTimes(made, resolution: 1_000, isExact: true, workers: 2)
        let mixed = server.mixed(server.services, calls: 3)
        let mean = mixed.reduce(0, +) / Double(mixed.count) / 1e9
        #expect(abs(mean / (0.16 / 3) - 1) < 0.04, "\(mean)")
    }
}
