import SquallBackend
import SquallHTTP
import Testing

@testable import SquallRaces

@Suite("The live judge")
struct LiveJudgeTests {
    /// Five calls at each of some expiries, as a person uses an app.
    private func use(
        _ world: JudgedWorld, _ slip: LiveClient.Slip, expiries: Int = 4
    ) throws -> LiveClient {
        let client = LiveClient(world, slip)
        try world.play { world in
            await client.signIn()
            for _ in 0..<expiries {
                await client.calls(5)
                await world.pause(seconds: 3)
                world.backend.expireAccessTokens()
            }
            await client.calls(5)
            await world.pause(seconds: 1)
            await client.call("/profile")
        }
        return client
    }

    @Test("A right client is clean, whatever the network", arguments: UInt64(1)...20)
    func right(seed: UInt64) throws {
        let world = JudgedWorld(seed: seed, refresh: .rotatingStrict)
        _ = try use(world, .none)
        #expect(world.found == [] && world.judge.summary.refreshes == 4)
        #expect(world.judge.summary.expiries == 4 && world.judge.summary.redundantRefreshes == 0)
    }

    @Test(
        "A client that refreshes for each refused call is found, and every redundant one counted",
        arguments: UInt64(1)...5)
    func naive(seed: UInt64) throws {
        let world = JudgedWorld(seed: seed)
        _ = try use(world, .refreshesEach)
        let summary = world.judge.summary
        #expect(summary.refreshes == 20 && summary.redundantRefreshes == 16)
        #expect(world.found.contains("S1 ×16"))
        #expect(world.tap.violations(.singleFlight).count == 16)
    }

    @Test("A finding is a sentence with its requests, told once, with a timeline")
    func sentence() throws {
        let world = JudgedWorld()
        _ = try use(world, .refreshesEach, expiries: 1)
        let finding = try #require(world.judge.newFindings().first)
        #expect(
            finding.sentence.hasPrefix(
                "S1 singleFlight · user 1: the expiry of T0 was refreshed twice (requests #"))
        #expect(world.judge.newFindings().isEmpty && finding.requests.count == 2)
        #expect(finding.timeline.contains { $0.contains("→ refresh with T0 and R0") })
        #expect(world.judge.verdicts.first?.outcome == .broken(4))
        let whole = try #require(world.judge.findings.first).whole
        #expect(
            whole.contains(/\); again with requests #\d+, #\d+ and #\d+$/), "\(whole)")
        #expect(world.judge.summary.requestsOfUsers == world.judge.summary.requests)
    }

    @Test("A finding names the token that expired, also where the refresh does not carry it")
    func expiredToken() throws {
        let world = JudgedWorld(JudgedWorld.bareForm)
        let client = LiveClient(world, .refreshesEach)
        client.refreshShowsAccess = false
        try world.play { world in
            await client.signIn()
            world.backend.expireAccessTokens()
            await client.calls(5)
            await world.pause(seconds: 1)
        }
        let finding = try #require(world.judge.newFindings().first)
        #expect(finding.text == "the expiry of T0 was refreshed twice")
    }

    @Test("A client that refreshes late refusals with the newest pair is found")
    func late() throws {
        let world = JudgedWorld(refresh: .rotatingStrict)
        _ = try use(world, .refreshesLate, expiries: 2)
        #expect(world.judge.summary.redundantRefreshes == 8)
        #expect(world.found.contains("S4 ×8"))
    }

    @Test("A late refusal is told with the token that was refused, and the one that was good")
    func lateName() throws {
        let world = JudgedWorld()
        let client = LiveClient(world)
        try world.play { world in
            await client.signIn()
            await client.call()
            let old = client.access
            world.backend.expireAccessTokens()
            await client.call()
            await world.pause(seconds: 1)
            _ = await world.send(.get, "/posts", access: old, connection: 2)
            await client.refreshNow((client.access, client.refresh))
        }
        let finding = try #require(world.judge.findings.first { $0.promise.id == "S4" })
        #expect(finding.text == "T1 was fresh when a late refusal of T0 had it refreshed")
    }

    @Test("A refusal of any token that refreshes at once brought is no late one")
    func keepsSibling() throws {
        let world = JudgedWorld(JudgedWorld.bareForm)
        let client = LiveClient(world)
        client.refreshShowsAccess = false
        try world.play { world in
            await client.signIn()
            for _ in 0..<3 {
                let kept = await world.storm(client)
                await client.call()
                await world.pause(seconds: 20)
                world.backend.expireAccessTokens()
                _ = await world.send(.get, "/posts", access: kept, connection: 1)
                await client.load()
                await client.call()
            }
        }
        #expect(world.found == ["S1 ×3"] && world.judge.summary.redundantRefreshes == 3)
    }

    @Test("A refresh token that is shown after its successor came is found")
    func reuse() throws {
        let leeway = RefreshSemantics.rotatingWithLeeway(windowNanoseconds: .max, generations: 9)
        let world = JudgedWorld(refresh: leeway)
        _ = try use(world, .keepsRefreshToken)
        #expect(world.found.map { $0.prefix(3) } == ["S8 "], "\(world.found)")
        #expect(world.tap.violations(.noReuse).first?.text.hasPrefix("R0 was sent again") == true)
        let finding = world.judge.findings.first { $0.promise.id == "S8" }
        #expect(finding?.text == "R0 was sent again after its successor had arrived")
    }

    @Test("A dead access token that is shown after its replacement was known is found")
    func dead() throws {
        let world = JudgedWorld()
        _ = try use(world, .keepsAccessToken, expiries: 1)
        #expect(world.found.contains { $0.hasPrefix("S2") })
        #expect(!world.tap.violations(.noKnownDeadToken).isEmpty)
    }

    @Test("The live judge finds a refused call that is never sent again")
    func dropped() throws {
        let world = JudgedWorld(refresh: .rotatingStrict)
        let client = LiveClient(world, .dropsCalls)
        try world.play { world in
            await client.signIn()
            world.backend.expireAccessTokens()
            await client.call()
            await world.pause(seconds: 12)
            await client.call("/profile")
        }
        #expect(world.found == ["L5 ×1"])
    }
}
