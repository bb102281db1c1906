import SquallBackend
import SquallHTTP
import Testing

@testable import SquallRaces

/// Calls that come again with the token with which they were refused, after its refresh.
@Suite("The live judge on calls that are repeated with their old token")
struct StaleRepeatTests {
    private static let sentence = "S2 \(BrokenPromise.repeatedWithOld("GET /posts", "T0"))"

    private func stage(
        _ slip: LiveClient.Slip = .none,
        _ body: @escaping @Sendable (LiveStage, LiveClient) async -> Void
    ) throws -> LiveStage {
        let stage = LiveStage(refresh: .coexist)
        let client = LiveClient(stage, slip)
        try stage.play { stage in
            await client.signIn()
            await client.call()
            await stage.pause(seconds: 1)
            await body(stage, client)
        }
        return stage
    }

    private func texts(_ stage: LiveStage) -> [String] {
        stage.judge.findings.map { "\($0.promise.id) \($0.text)" }
    }

    @Test(
        "A client of one call at a time is found, also if it does nothing more",
        arguments: [nil, 0.3, 3])
    func alone(pause: Double?) throws {
        let stage = try stage(.repeatsToken) { stage, client in
            stage.backend.expireAccessTokens()
            await client.call()
            guard let pause else { return }
            await stage.pause(seconds: pause)
            await client.call()
        }
        #expect(texts(stage) == [Self.sentence])
        #expect(stage.judge.openExpiries == 0)
    }

    @Test("Screens that all do so are found the second time, and not judged before")
    func crowd() throws {
        for rounds in 1...2 {
            let stage = try stage(.repeatsToken) { stage, client in
                for _ in 0..<rounds {
                    await client.calls(3)
                    await stage.pause(seconds: 2)
                    stage.backend.expireAccessTokens()
                    await client.calls(3)
                    await stage.pause(seconds: 2)
                }
                await client.calls(3)
            }
            let found = texts(stage).contains { $0.hasPrefix("S2") }
            #expect(found == (rounds > 1), "\(texts(stage))")
            #expect(rounds > 1 || stage.isNotJudged("S2"))
        }
    }

    @Test("Threads that had read their token before the refresh are right")
    func underWay() throws {
        let stage = try stage { stage, client in
            for _ in 0..<4 {
                stage.backend.expireAccessTokens()
                let pair = (client.access, client.refresh)
                _ = await stage.send(.get, "/posts", access: pair.0, connection: 1)
                async let other = stage.send(.get, "/profile", access: pair.0, connection: 2)
                await client.refreshNow(pair)
                _ = await stage.send(.get, "/posts", access: pair.0, connection: 3)
                _ = await other
                for _ in 0..<2 { await client.call() }
                await client.call("/profile")
                await stage.pause(seconds: 2)
            }
        }
        #expect(texts(stage) == [])
    }

    @Test("Threads that wait for one connection are right")
    func oneConnection() throws {
        let stage = try stage { stage, client in
            for round in 0..<4 {
                if round > 0 { stage.backend.expireAccessTokens() }
                let pair = (client.access, client.refresh)
                let status = await stage.send(.get, "/posts", access: pair.0, connection: 1)?.status
                if status == 419 { await client.refreshNow(pair) }
                _ = await stage.send(.get, "/posts", access: pair.0, connection: 1)
                if status == 419 { for _ in 0..<2 { await client.call() } }
                await stage.pause(seconds: 2)
            }
        }
        #expect(texts(stage) == [])
    }

    @Test("A client that goes on at once is found the third time, and not judged before")
    func hasty() throws {
        for rounds in 1...3 {
            let stage = try stage(.repeatsToken) { stage, client in
                for _ in 0..<rounds {
                    stage.backend.expireAccessTokens()
                    for _ in 0..<2 { await client.call() }
                    await stage.pause(seconds: 2)
                    await client.call("/profile")
                }
            }
            #expect(stage.found == (rounds < 3 ? [] : ["S2 ×1"]))
            #expect(stage.isNotJudged("S2") == (rounds < 3))
        }
    }

    @Test("Calls of a crowd that each wait before they come again are not judged")
    func waitingCrowd() throws {
        let stage = try stage { stage, client in
            await client.calls(2)
            await stage.pause(seconds: 2)
            stage.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await stage.send(.get, "/posts", access: pair.0, connection: 1)
            await client.refreshNow(pair)
            _ = await stage.send(.get, "/posts", access: pair.0, connection: 2)
            await stage.pause(seconds: 3)
            await client.calls(2)
        }
        #expect(texts(stage) == [] && stage.isNotJudged("S2"))
    }

    @Test("A refused call that comes again before each refresh is found the third time")
    func beforeRefresh() throws {
        for rounds in 2...3 {
            let stage = try stage { stage, client in
                for _ in 0..<rounds {
                    stage.backend.expireAccessTokens()
                    _ = await stage.send(.get, "/posts", access: client.access, connection: 1)
                    await client.call()
                    await stage.pause(seconds: 2)
                }
            }
            #expect(stage.found == (rounds < 3 ? [] : ["S2 ×1"]))
            #expect(stage.isNotJudged("S2") == (rounds < 3))
        }
    }

    @Test("Screens that share a connection may each be refused before the refresh")
    func refusedInTurn() throws {
        let stage = try stage { stage, client in
            for round in 0..<5 {
                if round > 0 { stage.backend.expireAccessTokens() }
                _ = await stage.send(.get, "/posts", access: client.access, connection: 1)
                for _ in 0..<2 { await client.call() }
                await stage.pause(seconds: 2)
            }
        }
        #expect(texts(stage) == [])
    }

    @Test("Waiters that give up, repeat their call with the old token and fail are found")
    func impatientWaiters() throws {
        let stage = LiveStage(refresh: .coexist)
        let client = LiveClient(stage)
        try stage.play { stage in
            await client.signIn()
            await client.calls(4)
            for _ in 0..<2 {
                await stage.pause(seconds: 3)
                stage.backend.expireAccessTokens()
                let pair = (client.access, client.refresh)
                await withTaskGroup(of: Void.self) { group in
                    for waiter in 1...4 as ClosedRange<UInt64> {
                        group.addTask {
                            _ = await stage.send(
                                .get, "/posts", access: pair.0, connection: waiter)
                            if waiter == 1 {
                                await client.call()
                                return
                            }
                            await stage.pause(seconds: 0.1)
                            _ = await stage.send(
                                .get, "/posts", access: pair.0, connection: waiter)
                        }
                    }
                    group.addTask {
                        let fault = Fault.answerLate(by: .seconds(2)).on("refresh")
                        let slow = stage.backend.beginFault(fault)
                        await stage.pause(seconds: 1)
                        _ = stage.backend.endFault(slow)
                    }
                }
                await stage.pause(seconds: 3)
                await client.calls(4)
            }
        }
        #expect(texts(stage).contains { $0.hasPrefix("L5") }, "\(texts(stage))")
    }

    @Test("A thread that is held up on a busy machine may send its older token later")
    func heldUp() throws {
        let stage = try stage { stage, client in
            await client.calls(2)
            for _ in 0..<3 {
                await stage.pause(seconds: 2)
                stage.backend.expireAccessTokens()
                let old = client.access
                await client.call()
                await stage.pause(seconds: 0.4)
                _ = await stage.send(.get, "/profile", access: old, connection: 2)
                await client.call("/profile")
            }
        }
        #expect(texts(stage) == [])
    }
}
