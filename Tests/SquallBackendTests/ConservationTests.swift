import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Conservation")
struct ConservationTests {
    @Test(
        "Every exchange is counted at any moment, whatever fails", arguments: 1...20)
    func chaos(seed: UInt64) throws {
        let far = BackendWorld(seed: seed, users: 20) { plan in
            Self.everythingGoesWrong(&plan)
            if seed > 10 { Self.serveOtherwise(&plan, seed) }
        }
        for user in 0..<20 {
            far.send(10, user: user)
            far.send(10, user: user, first: 10, cancelAfterNanoseconds: 70_000_000)
        }
        for moment in stride(from: 0, through: 1_000, by: 7) {
            let now = Instant(nanoseconds: Int64(moment) * 1_000_000)
            _ = try far.simulation.run(until: now)
            #expect(far.backend.conservationLaws.filter { !$0.holds } == [])
        }
        try far.run()
        try far.backend.checkConservation()
        #expect(far.counters.handedOver == 400 && far.ends.count == 400)
        #expect(far.backend.inFlight == 0 && far.counters.duplicated > 0)
    }

    @Test("Little's law holds to the nanosecond on a drained server", arguments: 1...10)
    func little(seed: UInt64) throws {
        let far = BackendWorld(seed: seed) { plan in
            plan.network.connectionsPerHost = 50
            plan.network.up = .exponential(mean: 100_000_000)
            plan.server.workers = 2
            plan.server.serviceTime = .exponential(mean: 20_000_000)
        }
        far.send(100)
        try far.run()
        let occupancy = far.counters.occupancy
        let times = far.log.served.map { $0.replied.nanoseconds - $0.arrived.nanoseconds }
        #expect(occupancy.areaNanoseconds(at: far.simulation.now) == occupancy.residenceNanoseconds)
        #expect(occupancy.residenceNanoseconds == Int128(times.reduce(0, +)))
        #expect(occupancy.departed == 100 && occupancy.count == 0)
    }

    @Test("One worker and two requests at once: 5 and 10 milliseconds make an area of 15")
    func area() throws {
        let far = BackendWorld { $0.server.workers = 1 }
        far.send(2)
        try far.run()
        #expect(far.counters.occupancy.areaNanoseconds(at: far.simulation.now) == 15_000_000)
    }

    @Test("A sum that is off ends in an error that names both sides")
    func violation() {
        let law = ConservationLaw("all ended", 12, ["answered": 9, "unanswered": 2])
        let error = ConservationError(
            part: "the backend", label: "backend.conservation", violated: [law])
        #expect(!law.holds && error.label == "backend.conservation")
        #expect(error.description.hasSuffix("all ended: 12 ≠ 9 answered + 2 unanswered"))
    }

    /// Orders, rules and pools, another mixture for each seed.
    private static func serveOtherwise(_ plan: inout BackendWorldPlan, _ seed: UInt64) {
        let orders = ServingPlan.Order.allCases
        plan.server.serving = ServingPlan(
            stages: [WorkerStage(start: Instant(nanoseconds: 120_000_000), workers: 2)],
            order: orders[Int(seed) % orders.count], priorities: ["likes2": 1],
            lateness: seed % 2 == 0 ? .leaves : .found,
            abandonment: seed % 5 < 3 ? .freesWorker : .leavesLine,
            pools: seed % 4 == 0
                ? [
                    PoolPlan(
                        name: "all", endpoints: ["likes2"], workers: 2, queueLimit: 3, stages: [])
                ] : [],
            database: seed % 3 == 0
                ? nil
                : DatabasePlan(
                    connections: 2, queryTime: .exponential(mean: 20_000_000),
                    rowsPerSecond: 10_000, endpoints: []))
    }

    /// Every kind of fault, each often enough to strike.
    private static func everythingGoesWrong(_ plan: inout BackendWorldPlan) {
        plan.network.up = .exponential(mean: 30_000_000)
        plan.network.timeoutNanoseconds = 150_000_000
        plan.network.requestLossProbability = 0.1
        plan.network.answerLossProbability = 0.1
        plan.network.connectFailureProbability = 0.05
        plan.network.bandwidthBytesPerSecond = 50_000
        plan.network.uploadBytesPerSecond = 2_000
        plan.server.workers = 3
        plan.server.queueLimit = 5
        plan.server.waitLimitNanoseconds = 20_000_000
        plan.server.userRate = RateLimit(perSecond: 50, burst: 3)
        plan.server.clockSkewNanoseconds = 1_000_000_000
        let kinds: [FaultKind] = [
            .latency(factor: 2, added: .exponential(mean: 10_000_000)), .serverError(status: 500),
            .dropRequest(.connectionLost), .dropAnswer(.connectionLost), .refuseConnection,
            .duplicate, .partialBody, .corruptBody, .tokenOutage,
        ]
        plan.faults = kinds.map { Fault($0, probability: 0.1) }
        plan.faults.append(
            Fault(
                .capacity(workers: 1), from: Instant(nanoseconds: 40_000_000),
                to: Instant(nanoseconds: 90_000_000)))
    }
}
