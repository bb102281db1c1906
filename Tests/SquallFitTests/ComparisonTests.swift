import Testing

@testable import SquallFit

@Suite("Log and model")
struct ComparisonTests {
    @Test("Beside one refresh of a log five more are chance, forty are not", arguments: [5, 40])
    func refreshes(more: Int) throws {
        var traffic = MadeTraffic()
        for user in 0..<20 {
            for call in 0..<50 {
                traffic.add(user, "/list", 200, at: Double(user + 6 * call), for: 0.02)
            }
        }
        traffic.add(3, "/auth/refresh", 200, at: 100, for: 0.02)
        let log = TrafficFit(try traffic.log()).log
        var model = log
        let refresh = try #require(log.requests.first { Int($0.call) == log.refreshCall })
        model.requests += Array(repeating: refresh, count: more)
        let comparison = TrafficComparison(log: log, from: log.reading.span.first, model: model)
        #expect(comparison.isUsable == (more == 5) && comparison.isClose == (more == 5))
    }

    @Test("Where users leave and come back a run has enough visits, where they stay enough screens")
    func duration() throws {
        var (come, stay, units) = (MadeTraffic(), MadeTraffic(), Units01(seed: 2))
        for user in 0..<20 {
            var now = 60 * units.next()
            while now < 1_200 {
                for _ in 0..<(4 + Int(4 * units.next())) {
                    now = come.add(user, "/list", 200, at: now, for: 0.02) + units.exponential(3)
                }
                now += 40 + 40 * units.next()
            }
        }
        stay.add(users: 0..<20, until: 1_200, look: 12, life: 60)
        func measured(_ made: MadeTraffic) throws -> Int64 {
            FittedSchedule(TrafficFit(try made.log()), requestsMax: .infinity).measured
                / 1_000_000_000
        }
        #expect(try measured(come) == 3_600)
        #expect(try (1_000...2_400).contains(measured(stay)))
    }
}
