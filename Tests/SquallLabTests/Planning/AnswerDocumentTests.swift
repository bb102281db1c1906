import SquallFormat
@testable import SquallLab
import SquallReport
import TestSupport
import Testing

@testable import SquallProof

/// What answers of several runs say, word by word.
@Suite("Documents of several runs")
struct AnswerDocumentTests {
    private static let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)

    private static func experiment(_ rate: Double, duration: String = "60s", seed: Int = 1) throws
        -> Experiment
    {
        try QueueWorld.experiment(
            .open(rate: rate), seed: UInt64(seed), duration: duration, threshold: "p(95)<500ms")
    }

    @Test("Batches say whether their intervals can be believed, or which figures follow themselves")
    func batches() throws {
        let texts = try [(5.0, "2000s", 1), (9, "300s", 3), (9, "300s", 5)].map {
            rate, duration, seed in
            let profile = try Self.experiment(rate, duration: duration, seed: seed).profile
            let run = BatchedRun(Self.queue.run(profile, batches: 20))
            let answer = BatchesAnswer(run, of: profile, named: "queue", replay: "again")
            return answer.document.text(TerminalStyle(isOn: false)) + "\n" + answer.csv
        }
        let text = texts.joined(separator: "\n")
        #expect(try text == GoldenFile.accepted("batches.txt", for: text))
    }

    @Test("Replications say what they come to, with each figure's interval")
    func replications() throws {
        let experiment = try Self.experiment(5)
        let replicator = Self.queue.replicator()
        let found = try replicator.replications(
            of: (0..<4).map { try replicator.task(experiment.profile, number: $0) })
        let answer = ReplicationsAnswer(experiment, found, precision: 0.05, replay: "again")
        let text = answer.document.text(TerminalStyle(isOn: false)) + "\n"
        #expect(try text == GoldenFile.accepted("replications.txt", for: text))
    }

    @Test("A trend says what changed last, what changed before, and of which profile")
    func trend() throws {
        func release(_ name: String, _ rate: Double, capacity: Double?) throws -> Trend.Release {
            let run = Self.queue.run(try Self.experiment(rate).profile).output.summary
            let answer = CapacityAnswer(
                profile: "shop", experiment: "", varied: "users", noun: "users",
                unit: .count, direction: .moreIsWorse, outcome: .found,
                capacity: capacity.map { ConfidenceInterval($0, low: nil, high: nil) }, today: 4,
                measurementWindow: "", points: [], contradictions: [], notes: [], precision: 0.02,
                replications: 1, requests: 1, seeds: [], replay: "")
            return Trend.Release(name, runs: [run], capacities: [answer])
        }
        let rates = [5, 5, 5, 5, 8, 8, 8, 8, 8, 8.0]
        let capacities: [Double?] = [100, 100, 100, nil, 100, 100, 100, 60, 60, 60]
        let releases = try zip(rates, capacities).enumerated().map { number, values in
            try release("v\(number + 1)", values.0, capacity: values.1)
        }
        let trends = [
            Trend(releases, replay: "again"),
            Trend(Array(releases[..<4]), figures: ["step_duration avg"], replay: "again"),
            Trend(Array(releases[..<2]), replay: "again"),
        ]
        let text = trends.map { $0.document.text(TerminalStyle(isOn: false)) + "\n" + $0.csv }
            .joined(separator: "\n")
        #expect(try text == GoldenFile.accepted("trends.txt", for: text))
    }
}
