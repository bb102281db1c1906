import SquallDocument
import SquallReport
import Testing

@testable import SquallPlanning
@testable import SquallProof

@Suite("A sweep")
struct SweepTests {
    /// What a sweep of a queue's load says of a figure.
    private func sentence(_ name: String, figure: String) throws -> String {
        let question = try QueueWorld.question(
            .open(rate: 2), seed: 1, duration: "60s", threshold: "p(95)<9s")
        let sweep = try Sweep(
            question, varying: [(name, "2,4,8")], figures: [figure], replications: 2)
        let queue = QueueWorld(workers: 1, meanServiceSeconds: 0.1)
        return try sweep.answer(queue.replicator(), replay: "").document.sentence
    }

    @Test("A figure that is the same everywhere is said to be so, another goes from least to most")
    func extremes() throws {
        #expect(
            try sentence("rate", figure: "passed")
                .hasSuffix("the share of runs that pass is 100 % at every place."))
        #expect(try sentence("rate", figure: "p95").contains(" goes from "))
    }

    @Test("A setting of whole numbers can be varied whatever else it may be written as")
    func seeds() throws {
        #expect(
            try sentence("seed", figure: "passed")
                .hasSuffix("the share of runs that pass is 100 % at every place."))
    }
}
