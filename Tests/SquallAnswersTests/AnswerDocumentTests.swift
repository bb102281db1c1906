import SquallFormat
@testable import SquallAnswers
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

    @Test("Replications say what they come to, with each figure's interval")
    func replications() throws {
        let experiment = try Self.experiment(5)
        let replicator = Self.queue.replicator()
        let found = try replicator.replications(
            of: (0..<4).map { try replicator.task(experiment.profile, number: $0) })
        let answer = ReplicationsAnswer(experiment, found, precision: 0.05, replay: "again")
        let text = answer.document.text(TerminalStyle(isOn: false)) + "\n"
        let differences = try GoldenFile.differences(of: text, from: "replications.txt")
        #expect(differences == [])
    }

    @Test(
        "A trend says what its last release changed, and of which profile",
        arguments: [
            (8, "With v8, beside the 7 releases before it, the capacity in users is 40.1 % lower."),
            (5, "With v5, beside the 4 releases before it, queue: the mean step duration is "),
            (4, "No significant difference between v4 and the 3 releases before it."),
            (2, "No test for a difference was made: of single runs it takes three releases"),
        ])
    func trend(count: Int, sentence: String) throws {
        func release(_ name: String, _ rate: Double, capacity: Double?) throws -> Trend.Release {
            let seed = Int(name.dropFirst()) ?? 0
            let run = Self.queue.run(try Self.experiment(rate, seed: seed).profile).output.summary
            let answer = CapacityAnswer(
                profile: "shop", experiment: "", varied: "users", noun: "users",
                unit: .count, direction: .moreIsWorse, outcome: .found,
                capacity: capacity.map { ConfidenceInterval($0, low: nil, high: nil) }, today: 4,
                measurementWindow: "", points: [], contradictions: [], notes: [], precision: 0.02,
                replications: 1, requests: 1, seeds: [], replay: "")
            return Trend.Release(name, runs: [run], capacities: [answer])
        }
        let figures = count == 8 ? [] : ["step_duration avg"]
        let rates = [5, 5, 5, 5, 9, 5, 5, 9.0]
        let capacities: [Double?] = [100, 101, 100, nil, 99, 100, 101, 60]
        let releases = try zip(rates, capacities).enumerated().map { number, values in
            try release("v\(number + 1)", values.0, capacity: values.1)
        }
        let trend = Trend(
            Array(releases[..<count]), figures: figures, order: "version numbers", replay: "again")
        let text = trend.document.text(TerminalStyle(isOn: false), width: 400)
        #expect(trend.document.sentence.hasPrefix(sentence), "\(trend.document.sentence)")
        #expect(text.contains("in the order of version numbers"))
        #expect(text.contains("✗ -41") == (count == 8))
        let rows = trend.csv.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        let written = rows.prefix(count).map {
            $0.split(separator: ",").last.flatMap { Double($0) }
        }
        #expect(rows.count == count + 1)
        #expect(zip(written, capacities).allSatisfy { $1 == nil || $0 == $1 })
    }
}
