import Testing

@testable import SquallPlanning
@testable import SquallProof

@Suite("Remarks on an answer")
struct AnswerRemarksTests {
    /// Replications of a queue, with what a world would have told of them.
    private func replications(wait: Double, count: Int) throws -> [Replication] {
        let profile = try QueueWorld.question(
            .open(rate: 5), seed: 1, duration: "20s", threshold: "p(95)<1s"
        ).profile
        let result = QueueWorld(workers: 1, meanServiceSeconds: 0.1).run(profile)
        return (0..<count).map { _ in Replication(result, connectionWait: wait, drifts: []) }
    }

    @Test("Connections are named where attempts spend half of their time waiting for them")
    func connections() throws {
        func sentences(_ wait: Double) throws -> [String] {
            AnswerRemarks(
                replications: try replications(wait: wait, count: 2), connectionsPerHost: 1
            ).sentences
        }
        #expect(try sentences(0.49).isEmpty)
        #expect(try sentences(0.8).first?.contains("the 1 connection that each user has") == true)
        #expect(try sentences(0.8).first?.contains("for 80 % of their time") == true)
    }
}
