import SquallFormat
import SquallKernel
import SquallReport
import Testing

@testable import SquallAnswers
@testable import SquallLab
@testable import SquallProof

@Suite("Trend")
struct TrendTests {
    private static let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)

    private static func experiment(_ rate: Double, seed: UInt64) throws -> Experiment {
        try QueueWorld.experiment(
            .open(rate: rate), seed: seed, duration: "100s", threshold: "p(95)<9s")
    }

    private static func release(
        _ rate: Double, seed: UInt64, replications: Int
    ) throws -> Trend.Release {
        let experiment = try experiment(rate, seed: seed)
        let replicator = queue.replicator()
        let found = try replicator.replications(
            of: (0..<replications).map { try replicator.task(experiment.profile, number: $0) })
        let answer = ReplicationsAnswer(experiment, found, precision: nil, replay: "")
        return Trend.Release("r", runs: [], replications: [answer])
    }

    private static func isFound(
        _ rates: [Double], seeds: [UInt64], replications: Int = 1
    ) throws -> Bool {
        var profiles: [Double: Profile] = [:]
        let releases = try zip(rates, seeds).map { rate, seed in
            guard replications == 1 else {
                return try release(rate, seed: seed, replications: replications)
            }
            var profile = try profiles[rate] ?? experiment(rate, seed: 1).profile
            profiles[rate] = profile
            profile.seed = seed
            return Trend.Release("r", runs: [queue.run(profile).output.summary])
        }
        let trend = Trend(releases, figures: ["step_duration p(95)"], replay: "")
        return trend.rows.contains { $0.last?.isDistinct ?? false }
    }

    @Test("Of series of single runs in which nothing changes one in twenty shows a difference")
    func nothing() throws {
        let found = try (0..<60).count { number in
            try Self.isFound(
                Array(repeating: 4, count: 6), seeds: (0..<6).map { UInt64(10 * number + $0) })
        }
        // Twice the standard error of so many.
        #expect(found <= 6)
    }

    @Test("A last release that is slower is found, of single runs and of replications")
    func slower() throws {
        #expect(try Self.isFound([4, 4, 4, 4, 4, 9], seeds: [1, 2, 3, 4, 5, 6]))
        #expect(try !Self.isFound([4, 9], seeds: [1, 2]))
        #expect(try Self.isFound([4, 5], seeds: [1, 1], replications: 6))
        #expect(try !Self.isFound([5, 4, 4], seeds: [1, 1, 1], replications: 6))
        // Without a seed in common there are no pairs.
        #expect(try !Self.isFound([4, 9], seeds: [1, 2], replications: 1))
    }

    @Test("A change as large as the page says is found in about 80 of 100 series")
    func power() throws {
        let root = RandomStream(seed: 3).stream("trend")
        func test(_ number: Int, shift: Double) throws -> PairedDifference {
            let stream = root.stream(number: UInt64(number))
            let values: [Double] = (0..<8).map { place in
                let units = (0..<12).map { (turn: Int) -> Double in
                    stream.unit(at: UInt64(12 * place + turn))
                }
                return units.reduce(-6.0, +)
            }
            let pairs = values.dropLast().map { (a: 100 + $0, b: 100 + values[7] + shift) }
            return try #require(PairedDifference("x", .number, pairs, ofOne: true))
        }
        let seen = try (0..<500).map { try test($0, shift: 0).detectable ?? 0 }
        let shown = try (500..<1_500).count { try test($0, shift: seen.mean).isDistinct }
        #expect((755...870).contains(shown))
    }

    @Test("Shown numbers and their changes agree")
    func shownChanges() throws {
        let releases = try (1...6).map { try Self.release(4, seed: 10 * $0, replications: 3) }
        let trend = Trend(releases, figures: ["step_duration count"], replay: "")
        let text = trend.document.text(TerminalStyle(isOn: false))
        // A row of means over three runs, and changes of three digits: `r  391.33  -0.34`.
        var numbers: [Double] = []
        var changes: [Double] = []
        for line in text.split(separator: "\n") {
            let words: [Substring] = line.split(separator: " ")
            guard words.count == 3, words[0] == "r", let number = Double(words[1]) else { continue }
            numbers.append(number)
            changes.append(Double(words[2]) ?? 0)
        }
        #expect(numbers.count == 6 && changes.contains { $0 != $0.rounded() }, "\(text)")
        for index in numbers.indices.dropFirst() {
            let change: Double = numbers[index] - numbers[index - 1]
            #expect((change - changes[index]).magnitude < 0.051, "\(text)")
        }
    }

    @Test(
        "A long tail makes no differences",
        arguments: [(NumberUnit.nanoseconds, 3), (.nanoseconds, 6), (.count, 4), (.count, 10)])
    func longTail(unit: NumberUnit, earlier: Int) throws {
        let root = RandomStream(seed: 5).stream("tail").stream(number: UInt64(earlier))
        // Durations of the log-normal law with the deviation 1, and counts of bursts.
        func number(_ index: Int) -> Double {
            let turns = (0..<12).map { root.unit(at: UInt64(12 * index + $0)) }
            guard unit == .nanoseconds else { return (-30 * PortableMath.log(turns[0])).rounded() }
            return PortableMath.exp(turns.reduce(-6.0, +) + 20)
        }
        // Of three figures the clearest is judged at a third of the level.
        let found = try (0..<3_000).count { series in
            let place = series * (earlier + 1)
            let last = number(place)
            let pairs = (1...earlier).map { (a: number(place + $0), b: last) }
            let test = try #require(PairedDifference("x", unit, pairs, ofOne: true))
            return 3 * (test.probability ?? 1) < PairedDifference.significance
        }
        #expect(found <= 3_000 / 60 * 13 / 10)
    }

    @Test(
        "Releases are in the order of their versions, or else of their dates",
        arguments: [
            (["1.1", "1.10", "1.2"], [0, 2, 1], ReleaseOrder.versions),
            (["v2.0.0", "v2.0.0-rc.10", "v2.0.0-rc.9", "v1.9"], [3, 2, 1, 0], .versions),
            (["release-3.4", "release-3.4.1"], [0, 1], .versions),
            (["after", "before"], [1, 0], .dates), (["1.2", "main"], [1, 0], .dates),
        ])
    func order(names: [String], expected: [Int], by order: ReleaseOrder) {
        let dates: [String?] = names.indices.map { "2026-11-\(28 - $0)T00:00:00Z" }
        let found = ReleaseOrder.of(names, dates: dates)
        #expect(found.indices == expected && found.order == order)
        #expect(ReleaseOrder.of(["b", "a"], dates: [nil, "2026"]).indices == [0, 1])
    }
}
