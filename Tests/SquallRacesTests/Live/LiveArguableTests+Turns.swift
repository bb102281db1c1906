import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import Testing

@testable import SquallRaces

/// Tabs that know nothing of each other, and calls that each ask for the same refresh.
extension LiveArguableTests {
    @Test(
        "Two tabs that refresh at once where the server replays the answer are not judged",
        arguments: [false, true])
    func replayed(isDown: Bool) throws {
        let replay = RefreshSemantics.rotatingWithReplay(
            windowNanoseconds: 10 * LiveStage.second, parentOfActive: true)
        let stage = LiveStage(refresh: replay)
        let found = try found(stage) { stage, client in
            stage.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await stage.send(.get, "/posts", access: client.access, connection: 1)
            let fault = Fault.failing(status: 503).on("refresh")
            let down = isDown ? stage.backend.beginFault(fault) : nil
            for _ in 0..<(isDown ? 3 : 1) {
                async let first: Void = client.refreshNow(pair)
                async let second: Void = client.refreshNow(pair)
                _ = await (first, second)
                await stage.pause(seconds: isDown ? 7 : 0)
            }
            if let down { _ = stage.backend.endFault(down) }
            await client.call()
        }
        #expect(found == [])
    }

    @Test(
        "A tab that sends an exchanged refresh token is not judged once, while the server takes it",
        arguments: [(3.0, 1, []), (3, 2, ["S8"]), (12, 1, ["S8"])])
    func replayedLater(pause: Double, times: Int, promises: [String]) throws {
        let replay = RefreshSemantics.rotatingWithReplay(
            windowNanoseconds: 10 * LiveStage.second, parentOfActive: false)
        let stage = LiveStage(refresh: replay)
        let found = try found(stage) { stage, client in
            stage.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await stage.send(.get, "/posts", access: client.access, connection: 1)
            await client.refreshNow(pair)
            for _ in 0..<times {
                await stage.pause(seconds: pause)
                _ = await stage.send(.get, "/profile", access: pair.0, connection: 2)
                await client.refreshNow(pair)
            }
        }
        #expect(promises.allSatisfy { id in found.contains { $0.hasPrefix(id) } }, "\(found)")
        #expect(found.contains { $0.hasPrefix("S8") } == promises.contains("S8"), "\(found)")
        let isUnclear = stage.isNotJudged("S2") && stage.isNotJudged("S8")
        #expect(promises != [] || found == [] && isUnclear, "\(found)")
    }

    @Test("Waiting calls that each send a failed refresh again in turn are not judged")
    func inTurn() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            await client.calls(8)
            await stage.pause(seconds: 290)
            _ = stage.backend.beginFault(.failing(status: 503))
            for _ in 0..<8 { await client.refreshNow((client.access, client.refresh)) }
        }
        #expect(found == [] && stage.isNotJudged("S21"), "\(found)")
    }

    @Test(
        "A failed refresh that calls send in turn is not judged, a few tries for all are",
        arguments: [true, false],
        [(calls: 8, tries: 8, isFound: false), (8, 3, true), (1, 2, true)])
    func callsInTurn(areRefused: Bool, row: (calls: Int, tries: Int, isFound: Bool)) throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            let screen: @Sendable () async -> Void = {
                await withTaskGroup(of: Void.self) { group in
                    for page in 0..<row.calls {
                        group.addTask {
                            _ = await stage.send(
                                .get, "/posts?page=\(page)", access: client.access, connection: 1)
                        }
                    }
                }
            }
            await screen()
            if !areRefused { await stage.pause(seconds: 290) }
            _ = stage.backend.beginFault(.failing(status: 503).on("refresh"))
            for _ in 0..<3 {
                if areRefused {
                    stage.backend.expireAccessTokens()
                    await screen()
                }
                for _ in 0..<row.tries { await client.refreshNow((client.access, client.refresh)) }
                await stage.pause(seconds: 3)
            }
        }
        #expect(found.contains { $0.hasPrefix("S21") } == row.isFound, "\(found)")
    }

    @Test("Calls of a screen that each try a failed refresh, one after the other, are not judged")
    func screenInTurn() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            for _ in 0..<3 { await client.call() }
            await stage.pause(seconds: 290)
            _ = stage.backend.beginFault(.failing(status: 503).on("refresh"))
            for _ in 0..<4 {
                for _ in 0..<3 { await client.refreshNow((client.access, client.refresh)) }
                await stage.pause(seconds: 7)
            }
        }
        #expect(found == [] && stage.isNotJudged("S21"), "\(found)")
    }

    @Test("A refresh token that is kept after its successor names no expiry where none was")
    func keptWithoutExpiry() throws {
        let stage = LiveStage(refresh: .rotatingStrict)
        let found = try found(stage) { stage, client in
            let old = client.refresh
            await client.refreshNow((client.access, old))
            await stage.pause(seconds: 20)
            await client.call()
            await client.refreshNow((client.access, old))
        }
        #expect(found.map { $0.prefix(2) } == ["S8"], "\(found)")
    }
}
