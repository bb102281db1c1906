import SquallBackend
import SquallHTTP
import Testing

@testable import SquallRaces

/// Calls that come again with the token with which they were refused, after its refresh.
@Suite("The live judge on calls that are repeated with their old token")
struct StaleRepeatTests {
    private static let sentence = "S2 \(BrokenPromise.repeatedWithOld("GET /posts", "T0"))"

    @Test(
        "A client of one call at a time is found, also if it does nothing more",
        arguments: [nil, 0.3, 3])
    func alone(pause: Double?) throws {
        let world = JudgedWorld()
        let found = try world.findings(.repeatsToken) { world, client in
            world.backend.expireAccessTokens()
            await client.call()
            guard let pause else { return }
            await world.pause(seconds: pause)
            await client.call()
        }
        #expect(found == [Self.sentence])
        #expect(world.judge.openExpiries == 0)
    }

    @Test("So is one with a connection for each call")
    func ownConnections() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            let (old, renewer) = (client.access, LiveClient(world, connection: 11))
            _ = await world.send(.get, "/posts", access: old, connection: 10)
            await renewer.refreshNow((old, client.refresh))
            world.judge.closed(connection: 11)
            _ = await world.send(.get, "/posts", access: old, connection: 12)
            await world.pause(seconds: 3)
            _ = await world.send(.get, "/posts", access: renewer.access, connection: 13)
        }
        #expect(found == [Self.sentence])
    }

    @Test("Screens that all do so are found the second time, and not judged before")
    func crowd() throws {
        for rounds in 1...2 {
            let world = JudgedWorld()
            let found = try world.findings(.repeatsToken) { world, client in
                for _ in 0..<rounds {
                    await client.calls(3)
                    await world.pause(seconds: 2)
                    world.backend.expireAccessTokens()
                    await client.calls(3)
                    await world.pause(seconds: 2)
                }
                await client.calls(3)
            }
            #expect(found.contains { $0.hasPrefix("S2") } == (rounds > 1), "\(found)")
            #expect(rounds > 1 || world.isNotJudged("S2"))
        }
    }

    @Test("Threads that had read their token before the refresh are right")
    func underWay() throws {
        let found = try JudgedWorld().findings { world, client in
            for _ in 0..<4 {
                world.backend.expireAccessTokens()
                let pair = (client.access, client.refresh)
                _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
                async let other = world.send(.get, "/profile", access: pair.0, connection: 2)
                await client.refreshNow(pair)
                _ = await world.send(.get, "/posts", access: pair.0, connection: 3)
                _ = await other
                for _ in 0..<2 { await client.call() }
                await client.call("/profile")
                await world.pause(seconds: 2)
            }
        }
        #expect(found == [])
    }

    @Test("Threads that wait for one connection are right")
    func oneConnection() throws {
        let found = try JudgedWorld().findings { world, client in
            for round in 0..<4 {
                if round > 0 { world.backend.expireAccessTokens() }
                let pair = (client.access, client.refresh)
                let status = await world.send(.get, "/posts", access: pair.0, connection: 1)?.status
                if status == 419 { await client.refreshNow(pair) }
                _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
                if status == 419 { for _ in 0..<2 { await client.call() } }
                await world.pause(seconds: 2)
            }
        }
        #expect(found == [])
    }

    @Test("A client that goes on at once is found the third time, and not judged before")
    func hasty() throws {
        for rounds in 1...3 {
            let world = JudgedWorld()
            _ = try world.findings(.repeatsToken) { world, client in
                for _ in 0..<rounds {
                    world.backend.expireAccessTokens()
                    for _ in 0..<2 { await client.call() }
                    await world.pause(seconds: 2)
                    await client.call("/profile")
                }
            }
            #expect(world.found == (rounds < 3 ? [] : ["S2 ×1"]))
            #expect(world.isNotJudged("S2") == (rounds < 3))
        }
    }

    @Test("Calls of a crowd that each wait before they come again are not judged")
    func waitingCrowd() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            await client.calls(2)
            await world.pause(seconds: 2)
            world.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
            await client.refreshNow(pair)
            _ = await world.send(.get, "/posts", access: pair.0, connection: 2)
            await world.pause(seconds: 3)
            await client.calls(2)
        }
        #expect(found == [] && world.isNotJudged("S2"))
    }

    @Test("A refused call that comes again before each refresh is found the third time")
    func beforeRefresh() throws {
        for rounds in 2...3 {
            let world = JudgedWorld()
            _ = try world.findings { world, client in
                for _ in 0..<rounds {
                    world.backend.expireAccessTokens()
                    _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                    await client.call()
                    await world.pause(seconds: 2)
                }
            }
            #expect(world.found == (rounds < 3 ? [] : ["S2 ×1"]))
            #expect(world.isNotJudged("S2") == (rounds < 3))
        }
    }

    @Test("Screens that share a connection may each be refused before the refresh")
    func refusedInTurn() throws {
        let found = try JudgedWorld().findings { world, client in
            for round in 0..<5 {
                if round > 0 { world.backend.expireAccessTokens() }
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                for _ in 0..<2 { await client.call() }
                await world.pause(seconds: 2)
            }
        }
        #expect(found == [])
    }

    @Test("Waiters that give up, repeat their call with the old token and fail are found")
    func impatientWaiters() throws {
        let world = JudgedWorld()
        let client = LiveClient(world)
        try world.play { world in
            await client.signIn()
            await client.calls(4)
            for _ in 0..<2 {
                await world.pause(seconds: 3)
                world.backend.expireAccessTokens()
                let pair = (client.access, client.refresh)
                await withTaskGroup(of: Void.self) { group in
                    for waiter in 1...4 as ClosedRange<UInt64> {
                        group.addTask {
                            _ = await world.send(
                                .get, "/posts", access: pair.0, connection: waiter)
                            if waiter == 1 {
                                await client.call()
                                return
                            }
                            await world.pause(seconds: 0.1)
                            _ = await world.send(
                                .get, "/posts", access: pair.0, connection: waiter)
                        }
                    }
                    group.addTask {
                        let fault = Fault.answerLate(by: .seconds(2)).on("refresh")
                        let slow = world.backend.beginFault(fault)
                        await world.pause(seconds: 1)
                        _ = world.backend.endFault(slow)
                    }
                }
                await world.pause(seconds: 3)
                await client.calls(4)
            }
        }
        #expect(world.found.contains { $0.hasPrefix("L5") }, "\(world.found)")
    }

    @Test("A thread that is held up on a busy machine may send its older token later")
    func heldUp() throws {
        let found = try JudgedWorld().findings { world, client in
            await client.calls(2)
            for _ in 0..<3 {
                await world.pause(seconds: 2)
                world.backend.expireAccessTokens()
                let old = client.access
                await client.call()
                await world.pause(seconds: 0.4)
                _ = await world.send(.get, "/profile", access: old, connection: 2)
                await client.call("/profile")
            }
        }
        #expect(found == [])
    }
}
