import SquallBackend
import SquallHTTP
import SquallServices
import Testing

@testable import SquallRaces

@Suite("Promises that a live client breaks once")
struct LivePromiseTests {
    @Test("The live judge reports a call after the sign-out")
    func signedOut() throws {
        let found = try JudgedWorld().findings { world, client in
            _ = await world.send(
                .get, "/v1/users/logout", access: client.access, refresh: client.refresh)
            await world.pause(seconds: 1)
            await client.call("/profile")
        }
        #expect(found == ["S6 GET /profile went out with T0 after the sign-out"])
    }

    @Test("The live judge reports a call without its token on the user's connection")
    func anonymous() throws {
        let found = try JudgedWorld().findings { world, client in
            _ = await world.send(.get, "/posts", connection: 9)
            _ = await world.send(.get, "/posts", connection: client.connection)
            await client.call()
        }
        #expect(found == ["S18 GET /posts went out without a token"])
    }

    @Test("The live judge reports another user's refresh token and access token")
    func foreign() throws {
        let world = JudgedWorld()
        let other = LiveClient(world, connection: 2)
        let found = try world.findings { world, client in
            await other.signIn(account: 1)
            await world.pause(seconds: 1)
            await client.refreshNow((client.access, other.refresh))
        }
        #expect(found.contains("S12 refresh went out with R0 of user 2"), "\(found)")
    }

    @Test("The live judge reports a failed call that is sent again at once, twice")
    func pauseless() throws {
        let failing = TokenRoute.get("/posts", status: 503)
        let found = try JudgedWorld(routes: [failing]).findings { world, client in
            for _ in 0..<2 { await client.call() }
            await world.pause(seconds: 2)
            for _ in 0..<3 { await client.call() }
        }
        #expect(found == ["S21 GET /posts failed and was sent again 2 times without a pause"])
    }

    @Test("The live judge reports screens that all send a failed call again without a pause")
    func pauselessScreens() throws {
        let failing = TokenRoute.get("/posts", status: 503)
        let found = try JudgedWorld(routes: [failing]).findings { world, client in
            await client.calls(3)
            await world.pause(seconds: 2)
            await withTaskGroup(of: Void.self) { group in
                for screen in 1...3 as ClosedRange<UInt64> {
                    group.addTask {
                        for _ in 0..<8 {
                            _ = await world.send(
                                .get, "/posts", access: client.access, connection: screen)
                        }
                    }
                }
            }
        }
        #expect(found == ["S21 GET /posts failed and was sent again 4 times without a pause"])
    }

    @Test("The live judge reports a retry before the time in Retry-After")
    func impatient() throws {
        let failing = TokenRoute(.get, "/posts") { _ in
            var reply = ServiceReply(status: 503, json: "{}")
            reply.headers.append((name: "Retry-After", value: "30"))
            return reply
        }
        let found = try JudgedWorld(routes: [failing]).findings { world, client in
            await client.call()
        }
        #expect(found.count == 1 && found[0].hasPrefix("S21 GET /posts was sent again after 1."))
        #expect(found[0].hasSuffix("although the server had asked to wait 30.000 s"))
    }

    @Test("The live judge reports a write that is repeated after its response was lost")
    func written() throws {
        let found = try JudgedWorld().findings { world, client in
            await world.losing { await client.call("/orders", .post, body: "one") }
            await client.call("/orders", .post, body: "one")
        }
        #expect(found == ["S10 \(BrokenPromise.writtenTwice("POST /orders"))"])
    }

    @Test("An expiry that a refresh follows has put that promise to the test")
    func followed() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            await client.call()
        }
        #expect(found == [])
        #expect(world.outcome("L8") == .kept)
    }

    @Test("The live judge reports a write that is repeated with another idempotency key")
    func otherKey() throws {
        let found = try JudgedWorld().findings { world, client in
            client.fields = ["Idempotency-Key": "one"]
            let body = #"{"order": 7, "at": "2026-11-28T20:00:00Z"}"#
            await world.losing { await client.call("/orders", .post, body: body) }
            client.fields = ["Idempotency-Key": "two"]
            let other = #"{"order": 7, "at": "2026-11-28T20:00:09Z"}"#
            await client.call("/orders", .post, body: other)
        }
        #expect(found == ["S10 \(BrokenPromise.writtenWithOtherKey("POST /orders"))"])
    }

    @Test(
        "The live judge reports a write that is sent again with nothing of its body",
        arguments: ["", "{}", "[object Object]", #""{\"n\":1}""#, #"{"n":2}"#])
    func lostBody(other: String) throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            _ = await world.send(
                .post, "/orders", access: client.access, body: #"{"n":1}"#, connection: 1)
            await client.refreshNow((client.access, client.refresh))
            _ = await world.send(
                .post, "/orders", access: client.access, body: other, connection: 1)
        }
        let text = BrokenPromise.lostBody("POST /orders", 7, for: other.utf8.count)
        #expect(found == (other == #"{"n":2}"# ? [] : ["S23 \(text)"]))
    }

    @Test("The live judge reports refreshes without a reason at any pace, from the third on")
    func needless() throws {
        let found = try JudgedWorld().findings { world, client in
            for _ in 0..<3 {
                await world.pause(seconds: 5)
                await client.refreshNow((client.access, client.refresh))
                await client.call()
            }
        }
        let text = "S3 T2 was refreshed although no response had refused it, 5."
        #expect(found.count == 1 && found[0].hasPrefix(text), "\(found)")
        #expect(found[0].hasSuffix(" s after it had come of the 300.000 s that it lives"))
    }

    @Test(
        "A refresh for a refusal that is not about the token is reported as that",
        arguments: [(401, 0), (403, 0), (403, 3)] as [(Int, Double)])
    func otherRefusal(status: Int, pause: Double) throws {
        let world = JudgedWorld(routes: [.get("/posts", status: status)])
        let found = try world.findings { world, client in
            for connection in 1...3 as ClosedRange<UInt64> {
                _ = await world.send(
                    .get, "/posts", access: client.access, connection: connection * 2)
                let own = LiveClient(world, connection: connection * 2 + 1)
                await own.refreshNow((client.access, client.refresh))
                client.access = own.access
                await world.pause(seconds: pause)
            }
        }
        #expect(found == ["S3 T2 was refreshed for a \(status) that is not about the token"])
    }

    @Test("The live judge reports calls that are refused on and on, and nothing is refreshed")
    func deaf() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            for _ in 0..<3 {
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                await world.pause(seconds: 1)
            }
        }
        #expect(found == ["L8 \(BrokenPromise.nothingRefreshed("T0"))"])
    }

    @Test("The live judge reports calls that go on being refused after a refused refresh")
    func hanging() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            world.backend.revokeRefreshTokens()
            await client.call()
            for _ in 0..<6 {
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                await world.pause(seconds: 1)
            }
        }
        #expect(found == ["L8 \(BrokenPromise.nothingRefreshed("T0"))"])
    }

    @Test("The live judge reports waiters that each show a refused refresh token in turn")
    func inTurn() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            await client.call()
            await world.pause(seconds: 3)
            world.backend.expireAccessTokens()
            _ = await world.send(.get, "/posts", access: client.access, connection: 1)
            world.backend.revokeRefreshTokens()
            let pair = (client.access, client.refresh)
            for _ in 0..<4 { await client.refreshNow(pair) }
        }
        #expect(found == ["L4 \(BrokenPromise.refreshedWhenOver)"])
        #expect(world.found == ["L4 ×2"])
        #expect(world.isNotJudged("S21"), "\(String(describing: world.outcome("S21")))")
    }

    @Test("The live judge reports a refused refresh token that comes again after a lost response")
    func lostThenDead() throws {
        let world = JudgedWorld(refresh: .rotatingStrict)
        let found = try world.findings { world, client in
            let pair = (client.access, client.refresh)
            await world.pause(seconds: 290)
            await world.losing { await client.refreshNow(pair) }
            for _ in 0..<4 {
                await world.pause(seconds: 30)
                await client.refreshNow(pair)
            }
        }
        #expect(
            found == ["L4 \(BrokenPromise.refreshedWhenOver)"],
            "\(world.judge.findings.map(\.timeline))")
    }

    @Test(
        "The live judge reports a refresh that is sent again at once after a 400 without a reason")
    func refusedAgain() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            await client.call()
            await world.pause(seconds: 3)
            world.backend.expireAccessTokens()
            _ = await world.send(.get, "/posts", access: client.access, connection: 1)
            _ = world.backend.beginFault(.failing(status: 400))
            let pair = (client.access, client.refresh)
            for _ in 0..<2 { await client.refreshNow(pair) }
        }
        #expect(found == ["S21 refresh failed and was sent again without a pause"])
    }

    @Test("The live judge reports a timer that renews each token after a tenth of its life")
    func timer() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for round in 1...36 {
                await world.pause(seconds: 10)
                if round % 3 == 0 {
                    await client.refreshNow((client.access, client.refresh))
                } else {
                    await client.call()
                }
            }
        }
        #expect(found.count == 1 && world.found == ["S3 ×3"], "\(found)")
        #expect(found[0].hasPrefix("S3 T9 was refreshed although no response had refused it, as 9"))
        #expect(found[0].hasSuffix(" of the 300.000 s that it lives"))
    }

    @Test(
        "The live judge reports a sign-in right after a refresh that failed", arguments: [429, 503])
    func thrownAway(status: Int) throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            let fault = world.backend.beginFault(.failing(status: status))
            await client.refreshNow((client.access, client.refresh))
            _ = world.backend.endFault(fault)
            await client.signIn()
        }
        #expect(found == ["S7 \(BrokenPromise.thrownAway(after: status))"])
    }

    @Test("The live judge reports threads that each sign in for the expiry of one token")
    func signInStorm() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            let threads = (1...3).map { LiveClient(world, connection: $0) }
            for thread in threads {
                for _ in 0..<2 {
                    _ = await world.send(
                        .get, "/posts", access: client.access, connection: thread.connection)
                    await world.pause(seconds: 1)
                }
            }
            await world.pause(seconds: 290)
            await withTaskGroup(of: Void.self) { group in
                for thread in threads { group.addTask { await thread.signIn() } }
            }
        }
        #expect(found == ["S1 \(BrokenPromise.signedInTwice("T0"))"])
        #expect(world.found == ["S1 ×2"])
    }

    @Test("The live judge reports an outage met with refreshes at one interval")
    func evenly() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            await client.call()
            _ = world.backend.beginFault(.failing(status: 500))
            for _ in 0..<12 {
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: 0.4)
            }
        }
        #expect(found.contains { $0.hasPrefix("S21 the refresh failed 10 times") }, "\(found)")
    }

    @Test("The live judge reports a timer of an outage beside calls that ask for nothing")
    func timerOfOutage() throws {
        let found = try JudgedWorld().findings { world, client in
            await world.pause(seconds: 310)
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            for tick in 0..<48 {
                if tick % 4 == 0 { await client.refreshNow((client.access, client.refresh)) }
                await world.pause(seconds: 0.3)
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                await world.pause(seconds: 0.4)
            }
        }
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("S21 the refresh failed 10 times") == true)
    }

    @Test("The live judge reports a failed refresh that is sent again at once, the first time")
    func atOnce() throws {
        let found = try JudgedWorld().findings { world, client in
            _ = world.backend.beginFault(.failing(status: 503))
            for _ in 0..<2 { await client.refreshNow((client.access, client.refresh)) }
        }
        #expect(found == ["S21 refresh failed and was sent again without a pause"])
    }

    @Test("The live judge reports a call sent again with its refused token, the refresh open")
    func sentRefused() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            let old = client.access
            _ = await world.send(.get, "/posts", access: old, connection: 1)
            let slow = world.backend.beginFault(.answerLate(by: .seconds(3)))
            async let refresh: Void = client.refreshNow((client.access, client.refresh))
            await world.pause(seconds: 0.05)
            _ = await world.send(.get, "/posts", access: old, connection: 1)
            await refresh
            _ = world.backend.endFault(slow)
            await client.call()
        }
        #expect(found.contains("S2 \(BrokenPromise.sentRefused("T0"))"), "\(found)")
    }

    @Test("The live judge reports a refresh of a session that the server has ended")
    func ended() throws {
        let found = try JudgedWorld().findings { world, client in
            world.backend.expireAccessTokens()
            world.backend.revokeRefreshTokens()
            await client.call()
            await world.pause(seconds: 1)
            await client.refreshNow((client.access, client.refresh))
        }
        #expect(found.contains("L4 \(BrokenPromise.refreshedWhenOver)"), "\(found)")
    }

    @Test("The live judge reports a call that is refused and refreshed again and again")
    func loop() throws {
        let found = try JudgedWorld().findings { world, client in
            for _ in 0..<3 {
                world.backend.expireAccessTokens()
                _ = await world.send(
                    .get, "/posts", access: client.access, connection: client.connection)
                await client.refreshNow((client.access, client.refresh))
            }
        }
        #expect(found.contains("L3 \(BrokenPromise.loops(3))"), "\(found)")
    }

    @Test("The live judge reports more calls at once than a connection has room for")
    func crowd() throws {
        let found = try JudgedWorld().findings { _, client in await client.calls(110) }
        #expect(found == ["S17 101 calls are open at once"])
    }

    @Test("Promises that no request can show are listed as not judged, the others by evidence")
    func verdicts() throws {
        let world = JudgedWorld()
        _ = try world.findings { _, _ in }
        let outcomes = Dictionary(
            uniqueKeysWithValues: world.judge.verdicts.map { ($0.promise.id, $0.outcome) })
        #expect(outcomes["S1"] == .notObserved && outcomes["S18"] == .kept)
        let names = LiveJudge.unjudgedPromises.map(\.id)
        #expect(names.contains("S5") && names.contains("S13") && !names.contains("S1"))
    }
}
