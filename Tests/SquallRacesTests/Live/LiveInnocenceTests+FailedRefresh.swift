@testable import SquallBackend
import SquallHTTP
import Testing

@testable import SquallRaces

/// Right clients whose refresh fails for a while, or takes its time.
extension LiveInnocenceTests {
    @Test("The live judge accepts tries of a refresh that failed, however often")
    func triedAgain() throws {
        let found = try JudgedWorld().findings { world, client in
            let fault = world.backend.beginFault(.failing(status: 503))
            for pause in [0.6, 1.2, 2.4] {
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: pause)
            }
            _ = world.backend.endFault(fault)
            await client.refreshNow((client.access, client.refresh))
        }
        #expect(found == [])
    }

    @Test("The live judge accepts calls that fail with their refresh, before another screen")
    func failedWithRefresh() throws {
        let found = try JudgedWorld().findings { world, client in
            for _ in 0..<2 {
                world.backend.expireAccessTokens()
                let fault = world.backend.beginFault(.failing(status: 503).on("refresh"))
                _ = await world.send(.get, "/profile", access: client.access, connection: 1)
                await client.refreshNow((client.access, client.refresh))
                _ = world.backend.endFault(fault)
                await world.pause(seconds: 3)
                await client.call()
                await world.pause(seconds: 12)
                await client.call()
            }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts pauses before refreshes that grow up to a limit")
    func backedOff() throws {
        let found = try JudgedWorld().findings { world, client in
            _ = world.backend.beginFault(.failing(status: 503))
            for tries in 0..<14 {
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: min(8, 0.4 * Double(1 << tries)))
            }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts screens that load on while a timer's refresh is tried again")
    func loadsOn() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            let fault = world.backend.beginFault(.failing(status: 503).on("refresh"))
            let old = client.access
            async let timer: Void = {
                for tries in 0..<5 {
                    await client.refreshNow((client.access, client.refresh))
                    await world.pause(seconds: 0.3 * Double(1 << tries))
                }
            }()
            for _ in 0..<40 {
                _ = await world.send(.get, "/posts", access: old, connection: 1)
                await world.pause(seconds: 0.25)
            }
            await timer
            _ = world.backend.endFault(fault)
        }
        #expect(found == [])
    }

    @Test("The live judge accepts refreshes that each refused call asks for while they fail")
    func userPace() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            for _ in 0..<14 {
                await client.call()
                await world.pause(seconds: 1)
            }
        }
        #expect(found == [])
    }
    @Test("The live judge accepts a sign-in after the refusal of a token whose answer was lost")
    func answerLost() throws {
        let world = JudgedWorld(refresh: .rotatingStrict)
        let client = LiveClient(world)
        try world.play { world in
            await client.signIn()
            await client.call()
            await world.pause(seconds: 1)
            world.backend.expireAccessTokens()
            let fault = world.backend.beginFault(.answerDropped().on("refresh"))
            await client.call()
            _ = world.backend.endFault(fault)
            await world.pause(seconds: 2)
            await client.call()
            await client.signIn()
        }
        #expect(world.judge.findings.map(\.sentence) == [])
    }

    @Test("The live judge accepts equal calls that wait for one connection while it is refreshed")
    func sharedConnection() throws {
        let found = try JudgedWorld().findings { world, client in
            for isExpired in [false, true] {
                if isExpired { world.backend.expireAccessTokens() }
                let pair = (client.access, client.refresh)
                _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
                async let refresh: Void? = isExpired ? client.refreshNow(pair) : nil
                for _ in 0..<3 {
                    _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
                }
                _ = await refresh
                await client.call()
                await world.pause(seconds: 1)
            }
        }
        #expect(found == [])
    }

    @Test("The live judge expects no call whose own refresh may be the one of several that failed")
    func failedBeside() throws {
        let found = try JudgedWorld(refresh: .oneShot).findings { world, client in
            world.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
            _ = await world.send(.get, "/profile", access: pair.0, connection: 2)
            async let second: Void = LiveClient(world, connection: 2).refreshNow(pair)
            await client.refreshNow(pair)
            await second
            await client.call()
            await world.pause(seconds: 12)
            await client.call()
            await world.pause(seconds: 12)
            await client.call()
        }
        #expect(!found.contains { $0.hasPrefix("L5") }, "\(found)")
    }

    @Test("The live judge accepts an old token where each call has tried to sign in before")
    func triesToSignIn() throws {
        let world = JudgedWorld()
        world.judge.signsIn = { _ in (7, false) }
        let found = try world.findings { world, client in
            await world.pause(seconds: 310)
            for number in 10..<18 as Range<UInt64> {
                let fault = world.backend.beginFault(.failing(status: 503))
                await LiveClient(world, connection: number).signIn()
                _ = world.backend.endFault(fault)
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                await world.pause(seconds: 20)
            }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts a process without Retry-After beside one that got it")
    func waitingPods() throws {
        let world = JudgedWorld()
        world.judge.signsIn = { _ in (7, true) }
        let found = try world.findings { world, client in
            let pods = (10..<14).map { LiveClient(world, connection: $0) }
            for pod in pods {
                await pod.signIn()
                await world.pause(seconds: 3)
                await pod.call()
            }
            await world.pause(seconds: 310)
            _ = world.backend.beginFault(
                Fault(
                    .serverError(status: 429, retryAfterNanoseconds: 60 * JudgedWorld.second)))
            for pod in pods {
                await pod.signIn()
                await world.pause(seconds: 5)
            }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts calls that are refused while the server's wait lasts")
    func waitsAsAsked() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            let fault = world.backend.beginFault(
                Fault(.serverError(status: 429, retryAfterNanoseconds: 120 * JudgedWorld.second))
                    .on("refresh"))
            await client.call()
            _ = world.backend.endFault(fault)
            for _ in 0..<11 {
                await world.pause(seconds: 10)
                _ = await world.send(.get, "/profile", access: client.access, connection: 1)
            }
            await world.pause(seconds: 12)
            await client.call()
        }
        #expect(found == [])
    }

    @Test("The live judge accepts a page that calls, then tries its refresh again, and two more")
    func loadedWhileOut() throws {
        let found = try JudgedWorld(JudgedWorld.bareForm).findings { world, client in
            world.backend.expireAccessTokens()
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            await LivePromiseTests.poll(4, world) { await client.load() }
            await LivePromiseTests.poll(2, world)
        }
        #expect(found == [])
    }
}
