import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Losses on the way")
struct LossTests {
    /// What goes wrong, and what the client and the server see of it with a patience of 100 ms.
    struct Case: Sendable {
        let change: @Sendable (inout NetworkPlan) -> Void
        let end: String
        let received: Int64
    }

    @Test(
        "A client learns of a loss as real ones do, and the server sees what came before it",
        arguments: [
            Case(
                change: { $0.connectFailureProbability = 1 },
                end: "0 cannotConnectToHost at 20 ms", received: 0),
            Case(
                change: { ($0.connectFailureProbability, $0.requestLossProbability) = (1, 1) },
                end: "0 cannotConnectToHost at 20 ms", received: 0),
            Case(
                change: { $0.requestLossProbability = 1 },
                end: "0 timedOut at 100 ms", received: 0),
            Case(
                change: {
                    $0.requestLossProbability = 1
                    $0.lossNotice = .connectionLost
                }, end: "0 networkConnectionLost at 20 ms", received: 0),
            Case(
                change: { $0.answerLossProbability = 1 }, end: "0 timedOut at 100 ms", received: 1),
            Case(
                change: {
                    $0.answerLossProbability = 1
                    $0.lossNotice = .connectionLost
                }, end: "0 networkConnectionLost at 45 ms", received: 1),
        ])
    func losses(loss: Case) throws {
        let far = BackendWorld { plan in
            plan.network.timeoutNanoseconds = 100_000_000
            loss.change(&plan.network)
        }
        far.send(1)
        try far.run()
        #expect(far.ends == [loss.end] && far.backend.inFlight == 0)
        #expect(far.counters.received == loss.received && far.counters.replied == loss.received)
        #expect(far.counters.lostRequests == 1 - loss.received)
        #expect(far.counters.dropped == loss.received)
        #expect(far.backend.conservationLaws.allSatisfy { $0.holds })
    }

    @Test("A lost request frees its connection when the client gives up, not before")
    func connection() throws {
        let far = BackendWorld { plan in
            plan.network.connectionsPerHost = 1
            plan.network.timeoutNanoseconds = 100_000_000
            plan.faults = [Fault(.dropRequest(.timeout), to: .init(nanoseconds: 50_000_000))]
        }
        far.send(2)
        try far.run()
        #expect(far.ends == ["0 timedOut at 100 ms", "1 ok at 145 ms"])
    }

    @Test("A large request takes its size over the upload speed longer")
    func upload() throws {
        let far = BackendWorld { $0.network.uploadBytesPerSecond = 10_000 }
        far.send(1, body: Body(Array(repeating: 1, count: 1_000)))
        try far.run()
        #expect(far.ends == ["0 ok at 145 ms"])
    }
}
