import Testing

@testable import SquallFit

/// Logs of users whose pauses are as short as those of an app between two of its calls.
@Suite("Short pauses")
struct ShortPauseTests {
    /// How long a response takes, how long a user pauses, and the network both ways, in seconds.
    struct Loop: CustomTestStringConvertible {
        let response, pause, network: Double
        var isEven = false
        var testDescription: String { "\(pause) s of \(response) s" }
    }

    /// 20 users who send a call of three, wait for its response and pause, for three minutes.
    private func visits(_ loop: Loop, _ paths: [[String]]) throws -> Visits {
        var (units, traffic) = (Units01(seed: 3), MadeTraffic())
        for user in 0..<20 {
            var now = units.next()
            while now < 180 {
                let place = Int(units.next() * Double(paths.count))
                for path in paths[place] {
                    let span = loop.response * (0.5 + units.next())
                    now = traffic.add(user, path, 200, at: now, for: span) + loop.network
                }
                now += loop.isEven ? loop.pause : units.exponential(loop.pause)
            }
        }
        return try #require(TrafficFit(try traffic.log()).visits)
    }

    @Test(
        "pauses shorter than responses are the users'",
        arguments: [
            Loop(response: 1.6, pause: 0.2, network: 0),
            Loop(response: 1.6, pause: 0.05, network: 0),
            Loop(response: 0.2, pause: 0.4, network: 0.04),
            Loop(response: 0.2, pause: 0.2, network: 0.04, isEven: true),
            Loop(response: 0.05, pause: 0.06, network: 0.02),
        ], [["/a"], ["/a", "/b", "/c"]])
    func loops(_ loop: Loop, calls: [String]) throws {
        let visits = try visits(loop, calls.map { [$0] })
        #expect(visits.screens.kinds.allSatisfy { $0.groups.map(\.count) == [1] })
        #expect(visits.network == nil)
        let pause = (loop.pause + loop.network) * 1e9
        #expect(abs((visits.thinking?.mean.value ?? 0) / pause - 1) < 0.1)
        #expect(visits.networkWritten < pause)
        #expect(visits.betweenVisits == nil)
    }

    @Test("an app's own calls stay together where users pause as shortly")
    func chain() throws {
        let loop = Loop(response: 0.05, pause: 0.3, network: 0.04)
        let visits = try visits(loop, [["/a", "/b"], ["/c"]])
        let groups: [[Int]] = visits.screens.kinds.map { $0.groups.map(\.count) }
        #expect(groups.sorted { $0.count < $1.count } == [[1], [1, 1]])
        let network = try #require(visits.network)
        #expect(abs(network.value - 40e6) < 2e6)
    }

    @Test("a call that an app repeats after its response is repeated one by one")
    func repeated() throws {
        let loop = Loop(response: 0.05, pause: 3, network: 0.04)
        let visits = try visits(loop, [["/a", "/b", "/b", "/b"], ["/c"]])
        let longest = visits.screens.kinds.map(\.groups).max { $0.count < $1.count } ?? []
        #expect(longest.map { $0.map(\.times) } == [[1], [1], [1], [1]])
    }

    @Test(
        "where neither pause, network nor work is known the three last as long as in the log",
        arguments: [0.12, 0.2, 0.4, 1])
    func seconds(_ cycle: Double) throws {
        var (units, traffic) = (Units01(seed: 4), MadeTraffic())
        for user in 0..<20 {
            var now = units.next()
            while now < 180 {
                let end = traffic.add(user, "/a", 200, at: now, for: 0.02)
                now = end + units.exponential(cycle - 0.02)
            }
        }
        let log = try traffic.log { $0.combined(MadeTraffic.address($0.user), at: $0.end) }
        let visits = try #require(TrafficFit(log).visits)
        let screens = Array(visits.screens.visits.joined())
        let calls = screens.reduce(0) { $0 + visits.screens.kinds[$1.screen].groups.count }
        let pause = try #require(visits.written).mean.value
        let work = visits.networkWritten + Visits.workAssumed
        let each = Double(calls) * work + Double(screens.count) * pause
        let model = each / 1e9 / Double(log.requests.count)
        #expect(abs(model / cycle - 1) < 0.05, "\(model)")
    }
}
