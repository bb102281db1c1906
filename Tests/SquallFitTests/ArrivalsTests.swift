import Testing

@testable import SquallFit

@Suite("Arrivals of visits")
struct ArrivalsTests {
    /// Begins at random at rates that change, in nanoseconds.
    private static func begins(_ stages: [(rate: Double, minutes: Double)], seed: Int) -> [Int64] {
        var units = Units01(seed: seed)
        var (begins, start) = ([Int64](), 0.0)
        for (rate, minutes) in stages {
            var now = start + units.exponential(1 / rate)
            start += minutes * 60
            while now < start {
                begins.append(Int64(now * 1e9))
                now += units.exponential(1 / rate)
            }
        }
        return begins
    }

    @Test("Bursts of four minutes begin, end and are as high as they were", arguments: 1...8)
    func bursts(seed: Int) {
        let stages = [(0.3, 15.0), (1.2, 4), (0.3, 11), (1.2, 4), (0.3, 6)]
        let arrivals = Arrivals(
            Self.begins(stages, seed: seed), from: 0, to: 2_400_000_000_000)
        var (changes, end) = ([Double](), 0.0)
        for stage in arrivals.stages.dropLast() {
            end += stage.seconds
            changes.append(end)
        }
        #expect(changes.count == 4)
        for (found, change) in zip(changes, [900.0, 1_140, 1_800, 2_040]) {
            #expect(abs(found - change) <= 45)
        }
        for (found, stage) in zip(arrivals.stages, stages) {
            #expect(abs(found.rate / stage.0 - 1) <= 0.3)
        }
    }

    @Test("The mean rate counts a burst at the log's beginning, too", arguments: 1...8)
    func firstBurst(seed: Int) {
        let begins = Self.begins([(3, 4), (0.5, 8)], seed: seed)
        let arrivals = Arrivals(
            begins.filter { $0 > 60_000_000_000 }, since: 0, from: 60_000_000_000,
            to: 720_000_000_000)
        #expect(abs(arrivals.rate.value * 720 / Double(begins.count) - 1) < 0.06)
    }

    @Test("A rate that rises from the beginning is not taken for its first stage before that")
    func rising() {
        let stages = (0..<24).map { (0.2 + 0.15 * Double($0), 0.5) }
        let ratios = (1...16).map { (seed: Int) -> Double in
            let begins = Self.begins(stages, seed: seed)
            let arrivals = Arrivals(
                begins.filter { $0 > 60_000_000_000 }, since: 0, from: 60_000_000_000,
                to: 720_000_000_000)
            return arrivals.rate.value * 720 / Double(begins.count)
        }
        let mean: Double = ratios.reduce(0, +) / 16
        #expect(abs(mean - 1) < 0.008)
    }

    @Test("One rate is one stage", arguments: 1...8)
    func steady(seed: Int) {
        let arrivals = Arrivals(
            Self.begins([(0.8, 60)], seed: seed), from: 0, to: 3_600_000_000_000)
        #expect(arrivals.stages.count == 1)
        #expect(arrivals.isPoisson == true)
    }
}
