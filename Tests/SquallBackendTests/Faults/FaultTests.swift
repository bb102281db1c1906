import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Faults")
struct FaultTests {
    @Test(
        "Each fault does what its name says",
        arguments: [
            (.latency(factor: 3, added: .constant(nanoseconds: 7_000_000)), "0 ok at 132 ms", 1),
            (.serverError(status: 502), "0 502 at 45 ms", 1),
            (.dropRequest(.connectionLost), "0 networkConnectionLost at 20 ms", 0),
            (.dropAnswer(.connectionLost), "0 networkConnectionLost at 45 ms", 1),
            (.refuseConnection, "0 cannotConnectToHost at 20 ms", 0),
            (.duplicate, "0 ok at 45 ms", 2), (.partialBody, "0 ok at 45 ms", 1),
            (.corruptBody, "0 ok at 45 ms", 1), (.tokenOutage, "0 ok at 45 ms", 1),
        ] as [(FaultKind, String, Int64)])
    func effects(kind: FaultKind, end: String, received: Int64) throws {
        let far = BackendWorld { $0.faults = [Fault(kind)] }
        far.send(1)
        try far.run()
        #expect(far.ends == [end] && far.counters.received == received)
        #expect(far.log.served.map(\.isDuplicate) == Array([false, true].prefix(Int(received))))
    }

    @Test("A fault strikes inside its window and nobody before or after")
    func window() throws {
        let far = BackendWorld { plan in
            plan.faults = [
                Fault(
                    .serverError(status: 500), from: Instant(nanoseconds: 125_000_000),
                    to: Instant(nanoseconds: 225_000_000))
            ]
        }
        for number in 0..<4 { far.send(1, first: number, after: Int64(number) * 100_000_000) }
        try far.run()
        #expect(
            far.ends == ["0 ok at 45 ms", "1 500 at 145 ms", "2 ok at 245 ms", "3 ok at 345 ms"])
    }

    @Test("A fault strikes the calls and users in its scope, and a fraction is always the same one")
    func scope() throws {
        let far = BackendWorld(users: 200) { plan in
            var fault = Fault(.serverError(status: 500))
            fault.scope.endpoints = ["likes2"]
            fault.scope.users = [0..<50, 150..<200]
            fault.scope.fraction = 0.3
            plan.faults = [fault]
        }
        for user in 0..<200 {
            far.send(2, user: user)
            far.send(1, path: "/v1/posts", user: user, first: 2)
        }
        try far.run()
        let struck = far.log.served.filter { $0.status == 500 }
        let users = Dictionary(grouping: struck, by: \.cause.user)
        #expect(struck.allSatisfy { $0.endpoint.name == "likes2" && !(50..<150 ~= $0.cause.user) })
        #expect(users.values.allSatisfy { $0.count == 2 })
        #expect((11...49).contains(users.count), "30 of 100, four standard deviations of 4.6")
    }

    @Test("A second fault does not change which users the first one strikes", arguments: 1...5)
    func independence(seed: UInt64) throws {
        let error = Fault(.serverError(status: 500), probability: 0.5)
        let others = [
            Fault(.latency(factor: 1.5, added: .exponential(mean: 9_000_000)), probability: 0.4),
            Fault(.serverError(status: 502), from: Instant(nanoseconds: 1), probability: 0),
            Fault(.duplicate, probability: 0.3), Fault(.corruptBody, probability: 0.5),
        ]
        let alone = try struck(by: [error], seed)
        #expect((71...129).contains(alone.count), "100 of 200, four standard deviations of 7.1")
        try #expect(struck(by: others + [error], seed) == alone)
        try #expect(struck(by: [error] + others, seed) == alone)
    }

    private func struck(by faults: [Fault], _ seed: UInt64) throws -> Set<UInt32> {
        let far = BackendWorld(seed: seed) { $0.faults = faults }
        far.send(200)
        try far.run()
        return Set(far.log.served.filter { $0.status == 500 }.map(\.cause.request))
    }

    @Test(
        "Two faults of one kind and beginning strike different attempts, also when begun by hand",
        arguments: [false, true])
    func twins(byHand: Bool) throws {
        let twins = Array(repeating: Fault(.serverError(status: 500), probability: 0.5), count: 2)
        let far = BackendWorld(seed: 1) { if !byHand { $0.faults = twins } }
        if byHand { for fault in twins { far.backend.beginFault(fault) } }
        far.send(200)
        try far.run()
        let both = far.log.served.count { $0.status == 500 }
        #expect((126...174).contains(both), "three quarters of 200, four deviations of 6.1")
    }

    @Test("A capacity of none holds everybody up until it is over")
    func capacity() throws {
        let far = BackendWorld { plan in
            plan.faults = [
                Fault(.capacity(workers: 0), to: Instant(nanoseconds: 1_000_000_000))
            ]
        }
        far.send(3)
        try far.run()
        #expect(far.ends == ["0", "1", "2"].map { $0 + " ok at 1025 ms" })
    }

    @Test(
        "A partial body is the first half; a corrupt one has its length and bytes that no text has")
    func bodies() throws {
        let whole = Array(#"{"data":[],"next_cursor":"0"}"#.utf8)
        for kind: FaultKind in [.partialBody, .corruptBody] {
            let far = BackendWorld { $0.faults = [Fault(kind)] }
            far.send(1)
            try far.run()
            let bytes = try #require(far.log.answers.first?.body.bytes)
            if kind == .partialBody {
                #expect(bytes == Array(whole.prefix(whole.count / 2)))
            } else {
                #expect(bytes.count == whole.count && bytes.contains(0xFF) && bytes != whole)
            }
        }
    }

    @Test("An outage of the token endpoints leaves the others alone")
    func tokenOutage() throws {
        let far = BackendWorld { $0.faults = [Fault(.tokenOutage)] }
        far.send(1, path: "/v1/auth/refresh")
        far.send(1, first: 1)
        try far.run()
        #expect(far.ends == ["0 503 at 45 ms", "1 ok at 45 ms"])
    }

    @Test("Token endpoints that answer 200 without a token have failed")
    func noToken() throws {
        let far = BackendWorld { $0.faults = [Fault.withoutToken()] }
        far.send(1, path: "/v1/auth/refresh")
        far.send(1, first: 1)
        try far.run()
        #expect(far.ends == ["0 ok at 45 ms", "1 ok at 45 ms"])
        #expect(far.log.served.map(\.meaning) == [.failure, .success])
    }

    @Test("Workers' clocks are off by no more than the skew, each by its own amount")
    func clocks() {
        var plan = BackendPlan()
        plan.server.clockSkewNanoseconds = 1_000
        plan.faults = [Fault(.clockSkew(nanoseconds: 500), from: Instant(nanoseconds: 10))]
        let faults = FaultPlan(plan, RandomStream(seed: 1))
        let calm = (0..<100).map { faults.clockOffset(of: $0, at: Instant(nanoseconds: 9)) }
        let struck = (0..<100).map { faults.clockOffset(of: $0, at: Instant(nanoseconds: 10)) }
        #expect(calm.allSatisfy { abs($0) <= 1_000 } && Set(calm).count > 80)
        #expect(zip(calm, struck).allSatisfy { abs($0 - $1) <= 500 } && calm != struck)
        #expect(calm.contains { $0 < 0 } && calm.contains { $0 > 0 })
    }

    @Test("Refresh tokens can be revoked for a share of the users")
    func revocation() {
        var fault = Fault(.revokeRefreshTokens)
        fault.scope.users = [0..<2]
        let armed = ArmedFault.arm([fault], of: StreamIdentity(), RandomStream(seed: 1))
        let mint = TokenMint(policy: TokenPolicy(), randomness: RandomStream(seed: 3))
        let tokens = (0..<3).map { mint.issue(.refresh, to: $0, at: .start).token }
        mint.expireAll(.refresh, at: .start, of: armed[0])
        let judgements = tokens.map { mint.judge($0, as: .refresh, at: .start) }
        #expect(judgements == [.expired(user: 0), .expired(user: 1), .valid(user: 2)])
    }
}
