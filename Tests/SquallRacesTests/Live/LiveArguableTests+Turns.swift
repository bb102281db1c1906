import SquallBackend
import SquallHTTP
import Testing

/// Tabs that know nothing of each other, and calls that each ask for the same refresh.
extension LiveArguableTests {
    @Test(
        "Two tabs that refresh at once where the server replays the answer are not judged",
        arguments: [false, true])
    func replayed(isDown: Bool) throws {
        let replay = RefreshSemantics.rotatingWithReplay(
            windowNanoseconds: 10 * JudgedWorld.second, parentOfActive: true)
        let found = try JudgedWorld(refresh: replay).findings { world, client in
            world.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await world.send(.get, "/posts", access: client.access, connection: 1)
            let fault = Fault.failing(status: 503).on("refresh")
            let down = isDown ? world.backend.beginFault(fault) : nil
            for _ in 0..<(isDown ? 3 : 1) {
                async let first: Void = client.refreshNow(pair)
                async let second: Void = client.refreshNow(pair)
                _ = await (first, second)
                await world.pause(seconds: isDown ? 7 : 0)
            }
            if let down { _ = world.backend.endFault(down) }
            await client.call()
        }
        #expect(found == [])
    }

    @Test(
        "A tab that sends an exchanged refresh token is not judged once, while the server takes it",
        arguments: [(3.0, 1, []), (3, 2, ["S8"]), (12, 1, ["S8"])])
    func replayedLater(pause: Double, times: Int, promises: [String]) throws {
        let replay = RefreshSemantics.rotatingWithReplay(
            windowNanoseconds: 10 * JudgedWorld.second, parentOfActive: false)
        let world = JudgedWorld(refresh: replay)
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await world.send(.get, "/posts", access: client.access, connection: 1)
            await client.refreshNow(pair)
            for _ in 0..<times {
                await world.pause(seconds: pause)
                _ = await world.send(.get, "/profile", access: pair.0, connection: 2)
                await client.refreshNow(pair)
            }
        }
        #expect(promises.allSatisfy { id in found.contains { $0.hasPrefix(id) } }, "\(found)")
        #expect(found.contains { $0.hasPrefix("S8") } == promises.contains("S8"), "\(found)")
        let isUnclear = world.isNotJudged("S2") && world.isNotJudged("S8")
        #expect(promises != [] || found == [] && isUnclear, "\(found)")
    }

    @Test("Waiting calls that each send a failed refresh again in turn are not judged")
    func inTurn() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            await client.calls(8)
            await world.pause(seconds: 290)
            _ = world.backend.beginFault(.failing(status: 503))
            for _ in 0..<8 { await client.refreshNow((client.access, client.refresh)) }
        }
        #expect(found == [] && world.isNotJudged("S21"), "\(found)")
    }

    @Test(
        "A failed refresh that calls send in turn is not judged, a few tries for all are, or many",
        arguments: [true, false],
        [(calls: 8, tries: 8, isFound: false), (8, 3, true), (8, 40, true), (1, 2, true)])
    func callsInTurn(areRefused: Bool, row: (calls: Int, tries: Int, isFound: Bool)) throws {
        let found = try JudgedWorld().findings { world, client in
            let screen: @Sendable () async -> Void = {
                await withTaskGroup(of: Void.self) { group in
                    for page in 0..<row.calls {
                        group.addTask {
                            _ = await world.send(
                                .get, "/posts?page=\(page)", access: client.access, connection: 1)
                        }
                    }
                }
            }
            await screen()
            if !areRefused { await world.pause(seconds: 290) }
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            for _ in 0..<3 {
                if areRefused {
                    world.backend.expireAccessTokens()
                    await screen()
                }
                for _ in 0..<row.tries { await client.refreshNow((client.access, client.refresh)) }
                await world.pause(seconds: 3)
            }
        }
        // Without a refusal it is not known how many calls ask.
        let isFound = row.isFound && (areRefused || row.tries < 40)
        #expect(found.contains { $0.hasPrefix("S21") } == isFound, "\(found)")
    }

    @Test("Calls of a screen that each try a failed refresh, one after the other, are not judged")
    func screenInTurn() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<3 { await client.call() }
            await world.pause(seconds: 290)
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            for _ in 0..<4 {
                for _ in 0..<3 { await client.refreshNow((client.access, client.refresh)) }
                await world.pause(seconds: 7)
            }
        }
        #expect(found == [] && world.isNotJudged("S21"), "\(found)")
    }

    @Test("A refresh token that is kept after its successor names no expiry where none was")
    func keptWithoutExpiry() throws {
        let found = try JudgedWorld(refresh: .rotatingStrict).findings { world, client in
            let old = client.refresh
            await client.refreshNow((client.access, old))
            await world.pause(seconds: 20)
            await client.call()
            await client.refreshNow((client.access, old))
        }
        #expect(found.map { $0.prefix(2) } == ["S8"], "\(found)")
    }
}
