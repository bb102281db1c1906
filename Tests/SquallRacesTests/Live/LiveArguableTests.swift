import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import Testing

@testable import SquallRaces

/// What right and wrong clients both do.
@Suite("The live judge where it cannot know")
struct LiveArguableTests {
    private func found(
        _ stage: LiveStage, _ body: @escaping @Sendable (LiveStage, LiveClient) async -> Void
    ) throws -> [String] {
        let client = LiveClient(stage)
        try stage.play { stage in
            await client.signIn()
            await client.call()
            await stage.pause(seconds: 1)
            await body(stage, client)
        }
        return stage.judge.findings.map { "\($0.promise.id) \($0.text)" }
    }

    @Test("The refusal of a refresh token that was exchanged ends no session")
    func superseded() throws {
        let stage = LiveStage(refresh: .oneShot)
        let found = try found(stage) { stage, client in
            let old = (client.access, client.refresh)
            stage.backend.expireAccessTokens()
            await client.call()
            await client.refreshNow(old)
            await stage.pause(seconds: 2)
            stage.backend.expireAccessTokens()
            await client.call()
        }
        #expect(!found.contains { $0.hasPrefix("L4") }, "\(found)")
    }

    @Test("Two tabs that refresh at once where the server replays the answer are not judged")
    func replayed() throws {
        let replay = RefreshSemantics.rotatingWithReplay(
            windowNanoseconds: 10 * LiveStage.second, parentOfActive: true)
        let stage = LiveStage(refresh: replay)
        let found = try found(stage) { stage, client in
            stage.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            _ = await stage.send(.get, "/posts", access: client.access, connection: 1)
            async let first: Void = client.refreshNow(pair)
            async let second: Void = client.refreshNow(pair)
            _ = await (first, second)
            await client.call()
        }
        #expect(found == [])
    }

    @Test("Forty calls at once are not judged")
    func gallery() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { _, client in await client.calls(40) }
        #expect(found == [])
        guard case .notJudged = stage.outcome("S17") else {
            Issue.record("\(String(describing: stage.outcome("S17")))")
            return
        }
    }

    @Test("One of several refused calls that never comes again may have gone with its screen")
    func closedScreen() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            stage.backend.expireAccessTokens()
            _ = await stage.send(.get, "/profile", access: client.access, connection: 2)
            await client.call()
            await stage.pause(seconds: 12)
            await client.call()
        }
        #expect(found == [])
        guard case .notJudged = stage.outcome("L5") else {
            Issue.record("\(String(describing: stage.outcome("L5")))")
            return
        }
    }

    @Test("A page that is loaded anew, refreshes and calls twice may keep its token in memory")
    func loadedAnew() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            for _ in 0..<4 {
                await stage.pause(seconds: 3)
                await client.refreshNow((client.access, client.refresh))
                for _ in 0..<2 { await client.call() }
            }
        }
        #expect(found == [])
        guard case .notJudged = stage.outcome("S3") else {
            Issue.record("\(String(describing: stage.outcome("S3")))")
            return
        }
    }

    @Test("One who signs in before each call is one user, and not judged")
    func signsInAlways() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            for _ in 0..<4 {
                await client.signIn()
                await client.call()
                await stage.pause(seconds: 1)
            }
        }
        #expect(found == [] && stage.judge.summary.users == 1)
        guard case .notJudged = stage.outcome("S3") else {
            Issue.record("\(String(describing: stage.outcome("S3")))")
            return
        }
    }

    @Test("Nothing about refreshes is kept where nothing was refreshed")
    func untested() throws {
        let stage = LiveStage(refresh: .coexist)
        _ = try found(stage) { stage, client in
            stage.backend.expireAccessTokens()
            _ = await stage.send(.get, "/posts", access: client.access, connection: 1)
        }
        for id in ["S1", "S3", "S4", "S8", "L3", "L4", "L5", "L8"] {
            #expect(stage.outcome(id) == .notObserved, "\(id)")
        }
        #expect(stage.judge.openExpiries == 1)
    }
}
