import SquallFormat
import SquallKernel
import Testing

@testable import SquallAnswers
@testable import SquallProof

@Suite("A sweep")
struct SweepTests {
    /// What a sweep of a queue's load says of a figure.
    private func sentence(_ name: String, figure: String) throws -> String {
        let experiment = try QueueWorld.experiment(
            .open(rate: 2), seed: 1, duration: "60s", threshold: "p(95)<9s")
        let sweep = try Sweep(
            experiment, varying: [(name, "2,4,8")], figures: [figure], replications: 2)
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        return try sweep.answer(queue.replicator(), replay: "").document.sentence
    }

    @Test("A figure that is the same everywhere is said to be so, another goes from least to most")
    func extremes() throws {
        #expect(
            try sentence("rate", figure: "passed")
                .hasSuffix("the share of runs that meet every threshold is 100 % at every point."))
        #expect(try sentence("rate", figure: "p95").contains(" goes from "))
    }

    @Test("A setting of whole numbers can be varied whatever else it may be written as")
    func seeds() throws {
        #expect(
            try sentence("seed", figure: "passed")
                .hasSuffix("the share of runs that meet every threshold is 100 % at every point."))
    }

    @Test(
        "All replications judge together, so that more of them do not break more",
        arguments: [3, 16])
    func pooled(replications: Int) throws {
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: 1, duration: "10s", threshold: "p(95)<1s")
        let questions = 30
        let wrong = try (0..<questions).count { number in
            // Slow in a twentieth of its steps at a rate of 7, by chance a fifth more or less.
            let world = LawWorld { value, replication in
                let place = UInt64(number * 100 + replication)
                let chance = RandomStream(seed: 7).unit(at: place) - 0.5
                return .init(steps: 500, slow: 0.05 * value * value / 49 * (1 + 0.4 * chance))
            }
            let sweep = try Sweep(
                experiment, varying: [("rate", "6.8,7.2")], figures: ["p95"],
                replications: replications)
            let points = try sweep.answer(world.replicator(varying: "rate"), replay: "").points
            return !points[0].broken.isEmpty
                || points[1].broken.isEmpty && points[1].undecided.isEmpty
        }
        // Five in a hundred, and two standard errors of so few questions.
        #expect(wrong <= 4)
    }
}
