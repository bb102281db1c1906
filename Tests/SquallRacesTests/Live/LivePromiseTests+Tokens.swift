import SquallBackend
import SquallHTTP
import Testing

@testable import SquallRaces

/// Requests that show a word, or nothing, in place of a token, or one of several.
extension LivePromiseTests {
    @Test(
        "The live judge reports a word in place of a token as such",
        arguments: ["undefined", "null"])
    func placeholder(word: String) throws {
        let found = try JudgedWorld().findings { world, _ in
            for _ in 0..<2 { _ = await world.send(.get, "/posts", access: word, connection: 1) }
        }
        #expect(found == ["S22 \(BrokenPromise.placeholder("GET /posts"))"])
    }

    @Test("A word in place of tokens is the one user's, on any connection, and is found once")
    func wordsInPlace() throws {
        let found = try JudgedWorld().findings { world, _ in
            for connection in 1...3 as ClosedRange<UInt64> {
                _ = await world.send(.get, "/posts", access: "undefined", connection: connection)
            }
        }
        #expect(found == ["S22 \(BrokenPromise.placeholder("GET /posts"))"])
    }

    @Test(
        "A refresh that shows a word, or nothing, in place of its token ends no session",
        arguments: ["undefined", ""])
    func noRefreshToken(text: String) throws {
        let found = try JudgedWorld().findings { world, client in
            for connection in 1...2 as ClosedRange<UInt64> {
                _ = await world.send(
                    .get, "/v1/auth/refresh", access: client.access, refresh: text,
                    connection: connection)
                await world.pause(seconds: 2)
            }
            await client.call()
        }
        let text =
            text.isEmpty
            ? BrokenPromise.emptyRefresh("refresh") : BrokenPromise.placeholder("refresh")
        #expect(found == ["S22 \(text)"])
    }

    @Test("A storm before any token is due is told as such, and of the token that it was for")
    func earlyStorm() throws {
        let found = try JudgedWorld().findings { world, client in
            let pair = (client.access, client.refresh)
            await withTaskGroup(of: Void.self) { group in
                for connection in 1...8 as ClosedRange<UInt64> {
                    let thread = LiveClient(world, connection: connection)
                    group.addTask {
                        await world.pause(seconds: Double(connection) * 0.001)
                        await thread.refreshNow(pair)
                    }
                }
            }
        }
        #expect(found.contains("S1 T0 was refreshed twice"), "\(found)")
        #expect(!found.contains { $0.contains("-") || $0.contains("expiry") }, "\(found)")
    }

    @Test("A sign-in after a refresh that brought no token is told with those words")
    func withoutToken() {
        #expect(BrokenPromise.thrownAway(after: 200).contains("after a 200 without a token to the"))
        #expect(BrokenPromise.thrownAway(after: 503).contains("after a 503 to the"))
    }

    @Test(
        "Calls that go on being refused are found with any of the tokens of one storm",
        arguments: 0..<3)
    func deafCrowd(kept: Int) throws {
        let found = try JudgedWorld().findings { world, client in
            let pair = (client.access, client.refresh)
            let threads = (1...3).map { LiveClient(world, connection: $0) }
            await withTaskGroup(of: Void.self) { group in
                for thread in threads { group.addTask { await thread.refreshNow(pair) } }
            }
            await world.pause(seconds: 1)
            for thread in threads {
                _ = await world.send(
                    .get, "/posts", access: thread.access, connection: thread.connection)
            }
            world.backend.expireAccessTokens()
            for _ in 0..<4 {
                _ = await world.send(.get, "/posts", access: threads[kept].access, connection: 1)
                await world.pause(seconds: 1)
            }
        }
        #expect(found.contains { $0.hasPrefix("L8") }, "\(found)")
    }

    @Test("A sign-in that fails at first, right after a refresh that failed, has thrown it away")
    func thrownAwayAtLast() throws {
        let world = JudgedWorld()
        world.judge.signsIn = { _ in (7, false) }
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            let fault = world.backend.beginFault(.failing(status: 503))
            await client.refreshNow((client.access, client.refresh))
            let next = LiveClient(world, connection: 2)
            await next.signIn()
            await world.pause(seconds: 100)
            _ = world.backend.endFault(fault)
            await next.signIn()
        }
        #expect(found == ["S7 \(BrokenPromise.thrownAway(after: 503))"])
    }

    @Test("A token of the other kind is told as that, and ends no session")
    func otherKind() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<3 {
                _ = await world.send(.get, "/posts", access: client.refresh, connection: 1)
            }
            await world.pause(seconds: 3)
            _ = await world.send(
                .get, "/v1/auth/refresh", access: client.access, refresh: client.access,
                connection: 1)
            await world.pause(seconds: 3)
            await client.call()
        }
        #expect(
            found == ["S22 \(BrokenPromise.otherKind("GET /posts", "R0", asAccess: true))"],
            "\(found)")
        #expect(world.found == ["S22 ×4"])
    }

    /// Calls without a token, each a second after the one before.
    static func poll(
        _ count: Int, _ world: JudgedWorld, fields: [String: String] = [:],
        then body: () async -> Void = {}
    ) async {
        for _ in 0..<count {
            await world.pause(seconds: 1)
            _ = await world.send(.get, "/posts", connection: 1, fields: fields)
            await body()
        }
    }

    @Test(
        "The live judge reports calls that go on without a token after what ended the session",
        arguments: ["the sign-out", "the end of the session", "a refresh that failed"])
    func goesOn(after event: String) throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            switch event {
            case "the sign-out":
                _ = await world.send(
                    .get, "/v1/users/logout", access: client.access, refresh: client.refresh,
                    connection: 1)
            case "the end of the session": world.backend.revokeRefreshTokens()
            default: _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            }
            if event != "the sign-out" {
                world.backend.expireAccessTokens()
                await client.call()
            }
            await Self.poll(5, world)
            await client.signIn()
            await Self.poll(1, world)
        }
        #expect(found.first == "S18 \(BrokenPromise.sentOnWithout("GET /posts", after: event))")
        #expect(world.found.first == "S18 ×3", "\(world.found)")
        #expect(world.judge.findings.first?.requests.count == 3)
    }

    @Test("A finding names each request of its repetitions once")
    func repetitions() throws {
        let world = JudgedWorld()
        _ = try world.findings(.refreshesEach) { world, client in
            for _ in 0..<2 {
                world.backend.expireAccessTokens()
                await client.calls(4)
                await world.pause(seconds: 5)
            }
        }
        let finding = try #require(world.judge.findings.first { $0.promise.id == "S1" })
        let named = finding.requests.suffix(1) + finding.again
        #expect(finding.count == 6 && Set(named).count == named.count, "\(finding.whole)")
    }
}
