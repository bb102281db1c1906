import SquallKernel
import Testing

@testable import SquallLab

@Suite("Load models")
struct LoadModelTests {
    private static let exponential = Distribution.exponential(mean: 100_000_000)
    private static let oneSecond = Distribution.exponential(mean: 1_000_000_000)

    /// Visits each second of ten users who think a second and need a tenth, by mean value analysis.
    ///
    /// Everything below is held against the same load.
    private static let rate = 7.854_176_568_926_527
    /// Their mean response by the same analysis, in milliseconds.
    private static let closedResponse = 273.207_943_855
    /// 100 ms / (1 − ρ).
    private static let openResponse = 466.021_568

    @Test("Ten users in a closed load wait as long as mean value analysis says")
    func closed() throws {
        let run = try StationRun(
            load: #"{"closed": {}}"#, users: 10, pause: Self.oneSecond,
            service: Self.exponential, hours: 1)
        #expect(abs(run.mean.value - Self.closedResponse) < 4 * run.mean.error)
        #expect(abs(run.throughput / Self.rate - 1) < 0.02)
        #expect(run.watch.mostRunning <= 10)
    }

    @Test("At the same load an open one waits as long as an M/M/1 queue, two thirds longer")
    func open() throws {
        let run = try StationRun(
            load: Self.open(Self.rate), users: 1_000, pause: Self.oneSecond,
            service: Self.exponential, hours: 1)
        #expect(abs(run.mean.value - Self.openResponse) < 4 * run.mean.error)
        // The batches agree with Daley's variance: ρ(2+5ρ−4ρ²+ρ³)/(1−ρ)⁴ service means squared.
        let load = Self.rate / 10
        let above = load * (2 + 5 * load - 4 * load * load + load * load * load)
        let variance = above / ((1 - load) * (1 - load) * (1 - load) * (1 - load)) * 10_000
        let daley = (variance / Double(run.watch.milliseconds.count)).squareRoot()
        #expect(abs(run.mean.value - Self.openResponse) < 4 * daley)
    }

    @Test(
        "Quantiles of the open load are those of an exponential",
        // ln 2, ln 10 and ln 100 times the mean of 500 ms.
        arguments: [(0.5, 346.574), (0.9, 1151.293), (0.99, 2302.585)])
    func quantiles(share: Double, milliseconds: Double) throws {
        let run = try StationRun(
            load: Self.open(8), users: 1_000, pause: Self.oneSecond,
            service: Self.exponential, hours: 1)
        let found = run.share(atMost: milliseconds)
        #expect(abs(found.value - share) < 4 * found.error)
    }

    @Test("Returning users make a Jackson network: the same mean as M/M/1", arguments: [0.2, 0.8])
    func partlyOpen(probability: Double) throws {
        let run = try StationRun(
            load: Self.partlyOpen(Self.rate * (1 - probability), probability), users: 1_000,
            pause: Self.oneSecond, service: Self.exponential, hours: 1)
        #expect(abs(run.mean.value - Self.openResponse) < 4 * run.mean.error)
        #expect(abs(run.throughput / Self.rate - 1) < 0.03)
    }

    @Test(
        "Varying service costs an open load what Pollaczek and Khinchine say, a closed one little")
    func variability() throws {
        // Mean 100 ms, second moment .9·20² + .1·820² = 67 600 ms²: W = 100 + 8·67.6/(2·.2) ms.
        let varying = Distribution.empirical(
            EmpiricalDistribution([(20_000_000, 9), (820_000_000, 1)]))
        let open = try StationRun(
            load: Self.open(8), users: 10_000, pause: Self.oneSecond, service: varying, hours: 1)
        let closed = try StationRun(
            load: #"{"closed": {}}"#, users: 10, pause: Self.oneSecond, service: varying, hours: 1)
        #expect(abs(open.mean.value - 1452) < 4 * open.mean.error)
        // Little's law for closed loads: R = N / X − Z, here with a mean think time of a second.
        let response = 10_000 / closed.throughput - 1_000
        #expect(abs(closed.mean.value - response) < 15)
        #expect(closed.mean.value < open.mean.value / 2)
    }

    @Test("Sessions that find nobody free wait, and their latency counts from their arrival")
    func intendedStart() throws {
        // One user, two sessions a second of 300 ms each: the fifth session of each burst of ten
        // arrives at 0.5 n and begins when the one before it is done.
        let run = try StationRun(
            load: Self.even("{\"constant\": {\"rate\": 5, \"for\": \"1s\"}}"), users: 1,
            pause: Self.oneSecond, service: .constant(nanoseconds: 300_000_000), hours: 1)
        // Arrivals at 200, 400 … 1000 ms, service one after the other from 200 ms on.
        #expect(run.watch.milliseconds == [300, 400, 500, 600, 700])
        #expect(run.watch.delays == [0, 100, 200, 300, 400].map { $0 * 1_000_000 })
        #expect(run.watch.mostRunning == 1)
    }

    /// Who takes each of some sessions that are over at once, of fifty users of whom some are busy.
    private func visitors(
        _ sessions: Int, busy: Int = 0, returning: RandomStream?
    ) throws -> [Int] {
        let load = try Profile.read(
            Profile.minimal(
                population:
                    #""load": {"open": {"stages": [{"constant": {"rate": 100, "for": "1h"}}]}}"#)
        ).populations[0].load.arrivals
        var pool = SessionPool(
            ArrivalProcess(try #require(load), stream: RandomStream(seed: 1)), users: 10..<60, .all,
            returning: returning)
        func next() throws -> Int {
            pool.arrive()
            let begun = pool.begin()
            return try #require(begun).user
        }
        var away: Set<Int> = []
        for _ in 0..<busy { away.insert(try next()) }
        #expect(away.count == busy)
        return try (0..<sessions).map { _ in
            let user = try next()
            #expect(!away.contains(user))
            pool.release(user)
            return user
        }
    }

    @Test("Each free user is as likely to return as another", arguments: [0, 30, 46])
    func drawn(busy: Int) throws {
        let stream = RandomStream(seed: 4).stream("returns")
        let free = 50 - busy
        let visitors = try visitors(4_000, busy: busy, returning: stream)
        let each = 4_000 / Double(free)
        let counts = Dictionary(grouping: visitors, by: \.self).values.map { Double($0.count) }
        let squares = counts.reduce(0) { $0 + ($1 - each) * ($1 - each) / each }
        // Chi-square with one less than the users: its mean is that, its variance twice that.
        let freedom = Double(free - 1)
        #expect(
            counts.count == free && (squares - freedom).magnitude < 4 * (2 * freedom).squareRoot())
        // And none depends on the one before: the same again with probability 1 / free.
        let again = Double(zip(visitors, visitors.dropFirst()).count { $0 == $1 })
        #expect((again - each).magnitude < 4 * each.squareRoot() + 1)
    }

    @Test("In turn all users come before one returns, and always in the same order")
    func inTurn() throws {
        let visitors = try visitors(120, returning: nil)
        #expect(visitors == (0..<120).map { 10 + $0 % 50 })
    }

    @Test("Paced journeys begin on time when they can, and late ones count from when they should")
    func pacing() throws {
        let run = try StationRun(
            load: #"{"closed": {"pacing": "2s", "stages": [{"users": 1, "for": "0s"}]}}"#,
            users: 1, pause: .constant(nanoseconds: 0),
            service: .empirical(EmpiricalDistribution([(500_000_000, 1)])), hours: 1)
        // At 0 s, 2 s … 3600 s.
        #expect(run.watch.milliseconds.count == 1_801)
        #expect(run.watch.milliseconds.allSatisfy { $0 == 500 })
        let slow = try StationRun(
            load: #"{"closed": {"pacing": "2s", "stages": [{"users": 1, "for": "0s"}]}}"#,
            users: 1, pause: .constant(nanoseconds: 0),
            service: .constant(nanoseconds: 3_000_000_000), hours: 1)
        #expect(slow.watch.milliseconds.prefix(4) == [3_000, 4_000, 5_000, 6_000])
    }

    @Test("Stages of a closed load bring users in and send them home, the newest first")
    func stages() {
        let active = ActiveUsers([
            .init(users: 10, nanoseconds: 100), .init(users: 10, nanoseconds: 100),
            .init(users: 0, nanoseconds: 100), .init(users: 5, nanoseconds: 50),
        ])
        #expect(active.nextActivity(of: 0, from: 0) == 1)
        #expect(active.nextActivity(of: 5, from: 0) == 51)
        #expect(active.nextActivity(of: 5, from: 249) == 249)
        // The falling line is below 5 from 250 on, and the last stage never exceeds 5.
        #expect(active.nextActivity(of: 5, from: 251) == nil)
        #expect(active.nextActivity(of: 4, from: 280) == 341)
        #expect(active.nextActivity(of: 4, from: 1_000) == 1_000)
        #expect(active.nextActivity(of: 10, from: 0) == nil)
    }

    @Test("Stages of a closed load may add up to more than there is of time")
    func stagesBeyondTime() {
        let active = ActiveUsers([
            .init(users: 0, nanoseconds: 1), .init(users: 2, nanoseconds: .max - 1),
            .init(users: 4, nanoseconds: .max),
        ])
        #expect(active.nextActivity(of: 0, from: 0) == 2)
        #expect((1 << 62...1 << 62 + 4_096).contains(active.nextActivity(of: 1, from: 0) ?? 0))
        #expect(active.nextActivity(of: 3, from: 0) == .max)
        #expect(active.nextActivity(of: 4, from: 0) == nil)
    }

    private static func open(_ rate: Double) -> String {
        #"{"open": {"stages": [{"constant": {"rate": \#(rate), "for": "10h"}}]}}"#
    }

    private static func even(_ stage: String) -> String {
        #"{"open": {"spacing": "even", "stages": [\#(stage)]}}"#
    }

    private static func partlyOpen(_ rate: Double, _ probability: Double) -> String {
        let stage = #"{"constant": {"rate": \#(rate), "for": "10h"}}"#
        return #"{"partlyOpen": {"stages": [\#(stage)], "continue": \#(probability)}}"#
    }
}
