import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import Testing

@testable import SquallRaces

@Suite("The live judge")
struct LiveJudgeTests {
    /// Five calls at each of some expiries, as a person uses an app.
    private func use(
        _ stage: LiveStage, _ slip: LiveClient.Slip, expiries: Int = 4
    ) throws -> LiveClient {
        let client = LiveClient(stage, slip)
        try stage.play { stage in
            await client.signIn()
            for _ in 0..<expiries {
                await client.calls(5)
                await stage.pause(seconds: 3)
                stage.backend.expireAccessTokens()
            }
            await client.calls(5)
            await stage.pause(seconds: 1)
            await client.call("/profile")
        }
        return client
    }

    @Test("A right client is clean, whatever the network", arguments: UInt64(1)...20)
    func right(seed: UInt64) throws {
        let stage = LiveStage(seed: seed)
        _ = try use(stage, .none)
        #expect(stage.found == [] && stage.judge.summary.refreshes == 4)
        #expect(stage.judge.summary.expiries == 4 && stage.judge.summary.redundantRefreshes == 0)
    }

    @Test(
        "A client that refreshes for each refused call is found, and every redundant one counted",
        arguments: UInt64(1)...5)
    func naive(seed: UInt64) throws {
        let stage = LiveStage(seed: seed, refresh: .coexist)
        _ = try use(stage, .refreshesEach)
        let summary = stage.judge.summary
        #expect(summary.refreshes == 20 && summary.redundantRefreshes == 16)
        #expect(stage.found.contains("S1 ×16"))
        #expect(stage.tap.violations(.singleFlight).count == 16)
    }

    @Test("A finding is a sentence with its requests, told once, with a timeline")
    func sentence() throws {
        let stage = LiveStage(refresh: .coexist)
        _ = try use(stage, .refreshesEach, expiries: 1)
        let finding = try #require(stage.judge.newFindings().first)
        #expect(
            finding.sentence.hasPrefix(
                "S1 singleFlight · user 1: the expiry of T0 was refreshed twice (requests #"))
        #expect(stage.judge.newFindings().isEmpty && finding.requests.count == 2)
        #expect(finding.timeline.contains { $0.contains("→ refresh with T0 and R0") })
        #expect(stage.judge.verdicts.first?.outcome == .broken(4))
        let whole = try #require(stage.judge.findings.first).whole
        #expect(
            whole.contains(/\); again with requests #\d+, #\d+ and #\d+$/), "\(whole)")
        #expect(stage.judge.summary.requestsOfUsers == stage.judge.summary.requests)
    }

    @Test("A finding names the token that expired, also where the refresh does not carry it")
    func expiredToken() throws {
        let stage = LiveStage(LiveStage.bareForm, refresh: .coexist)
        let client = LiveClient(stage, .refreshesEach)
        client.refreshShowsAccess = false
        try stage.play { stage in
            await client.signIn()
            stage.backend.expireAccessTokens()
            await client.calls(5)
            await stage.pause(seconds: 1)
        }
        let finding = try #require(stage.judge.newFindings().first)
        #expect(finding.text == "the expiry of T0 was refreshed twice")
    }

    @Test("A client that refreshes late refusals with the newest pair is found")
    func late() throws {
        let stage = LiveStage()
        _ = try use(stage, .refreshesLate, expiries: 2)
        #expect(stage.judge.summary.redundantRefreshes == 8)
        #expect(stage.found.contains("S4 ×8"))
    }

    @Test("A late refusal is told with the token that was refused, and the one that was good")
    func lateName() throws {
        let stage = LiveStage(refresh: .coexist)
        let client = LiveClient(stage)
        try stage.play { stage in
            await client.signIn()
            await client.call()
            let old = client.access
            stage.backend.expireAccessTokens()
            await client.call()
            await stage.pause(seconds: 1)
            _ = await stage.send(.get, "/posts", access: old, connection: 2)
            await client.refreshNow((client.access, client.refresh))
        }
        let finding = try #require(stage.judge.findings.first { $0.promise.id == "S4" })
        #expect(finding.text == "T1 was fresh when a late refusal of T0 had it refreshed")
    }

    @Test("A refusal of any token that refreshes at once brought is no late one")
    func keepsSibling() throws {
        let stage = LiveStage(LiveStage.bareForm, refresh: .coexist)
        let client = LiveClient(stage)
        client.refreshShowsAccess = false
        try stage.play { stage in
            await client.signIn()
            for _ in 0..<3 {
                let kept = await stage.storm(client)
                await client.call()
                await stage.pause(seconds: 20)
                stage.backend.expireAccessTokens()
                _ = await stage.send(.get, "/posts", access: kept, connection: 1)
                await client.load()
                await client.call()
            }
        }
        #expect(stage.found == ["S1 ×3"] && stage.judge.summary.redundantRefreshes == 3)
    }

    @Test("A refresh token that is shown after its successor came is found")
    func reuse() throws {
        let stage = LiveStage(refresh: .rotatingWithLeeway(windowNanoseconds: .max, generations: 9))
        _ = try use(stage, .keepsRefreshToken)
        #expect(stage.found.map { $0.prefix(3) } == ["S8 "], "\(stage.found)")
        #expect(stage.tap.violations(.noReuse).first?.text.hasPrefix("R0 was sent again") == true)
        let finding = stage.judge.findings.first { $0.promise.id == "S8" }
        #expect(finding?.text == "R0 was sent again after its successor had arrived")
    }

    @Test("A dead access token that is shown after its replacement was known is found")
    func dead() throws {
        let stage = LiveStage(refresh: .coexist)
        _ = try use(stage, .keepsAccessToken, expiries: 1)
        #expect(stage.found.contains { $0.hasPrefix("S2") })
        #expect(!stage.tap.violations(.noKnownDeadToken).isEmpty)
    }

    @Test("The live judge finds a refused call that is never sent again")
    func dropped() throws {
        let stage = LiveStage()
        let client = LiveClient(stage, .dropsCalls)
        try stage.play { stage in
            await client.signIn()
            stage.backend.expireAccessTokens()
            await client.call()
            await stage.pause(seconds: 12)
            await client.call("/profile")
        }
        #expect(stage.found == ["L5 ×1"])
    }
}
