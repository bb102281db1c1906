import Testing

@testable import SquallAnswers
@testable import SquallProof

@Suite("Remarks on an answer")
struct AnswerRemarksTests {
    /// Replications of a queue, with what a world would have told of them.
    private func replications(wait: Double, count: Int) throws -> [Replication] {
        let profile = try QueueWorld.experiment(
            .open(rate: 5), seed: 1, duration: "20s", threshold: "p(95)<1s"
        ).profile
        let result = QueueWorld(workers: 1, meanServiceSeconds: 0.1).run(profile)
        return (0..<count).map { _ in Replication(result, connectionWait: wait, drifts: []) }
    }

    @Test("Connections are named where attempts spend half of their time waiting for them")
    func connections() throws {
        func remark(_ wait: Double) throws -> String? {
            CapacitySearch.connectionRemark(
                of: try replications(wait: wait, count: 2), connectionsPerHost: 1)
        }
        #expect(try remark(0.49) == nil)
        #expect(try remark(0.8)?.contains("the 1 connection that each user has") == true)
        #expect(try remark(0.8)?.contains("for 80 % of their time") == true)
    }
}
