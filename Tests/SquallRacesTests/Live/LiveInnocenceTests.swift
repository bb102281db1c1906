import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import Testing

@testable import SquallRaces

/// What right clients do over real sockets, and looks like a broken promise.
@Suite("The live judge on right clients")
struct LiveInnocenceTests {
    static let failing = TokenRoute.get("/posts", status: 503)
    private static let limited = TokenRoute(.get, "/posts") { _ in
        var reply = ServiceReply(status: 429, json: "{}")
        reply.headers.append((name: "Retry-After", value: "30"))
        return reply
    }

    @Test("The live judge accepts screens that repeat a call, each on its own connection")
    func screens() throws {
        for route in [Self.failing, Self.limited] {
            let found = try JudgedWorld(routes: [route]).findings(calls: false) { world, client in
                for screen in 2..<8 as Range<UInt64> {
                    _ = await world.send(.get, "/posts", access: client.access, connection: screen)
                }
            }
            #expect(found == [])
        }
    }

    @Test("Calls of screens that are left while their token is refreshed are no loop")
    func leftWhileRefreshing() throws {
        let found = try JudgedWorld().findings { world, client in
            for _ in 0..<5 {
                world.backend.expireAccessTokens()
                let pair = (client.access, client.refresh)
                _ = await world.send(.get, "/posts", access: pair.0, connection: 1)
                await client.refreshNow(pair)
                await world.pause(seconds: 30)
            }
        }
        #expect(!found.contains { $0.hasPrefix("L3") }, "\(found)")
    }

    @Test("The live judge accepts screens whose connections repeat a call once, at once")
    func transport() throws {
        let world = JudgedWorld(routes: [Self.failing])
        let found = try world.findings(calls: false) { world, client in
            for _ in 0..<3 {
                await withTaskGroup(of: Void.self) { group in
                    for screen in 1...2 as ClosedRange<UInt64> {
                        group.addTask {
                            for _ in 0..<2 {
                                _ = await world.send(
                                    .get, "/posts", access: client.access, connection: screen)
                            }
                        }
                    }
                }
                await world.pause(seconds: 3)
            }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts as many equal calls in a row as were open at once before")
    func crowd() throws {
        let found = try JudgedWorld(routes: [Self.failing]).findings { world, client in
            await client.calls(5)
            await world.pause(seconds: 1)
            for _ in 0..<5 { await client.call() }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts screens that repeat a failing call with pauses")
    func pollers() throws {
        for route in [Self.failing, Self.limited] {
            let found = try JudgedWorld(routes: [route]).findings(calls: false) { world, client in
                await client.calls(4)
                await world.pause(seconds: 31)
                for _ in 0..<3 {
                    await client.call()
                    await world.pause(seconds: 0.2)
                }
            }
            #expect(found == [])
        }
    }

    @Test("The live judge accepts a failed call that comes again with its old token")
    func repeated() throws {
        let found = try JudgedWorld().findings { world, client in
            let old = client.access
            let fault = world.backend.beginFault(.failing(status: 503))
            _ = await world.send(.get, "/posts", access: old, connection: 2)
            _ = world.backend.endFault(fault)
            world.backend.expireAccessTokens()
            for _ in 0..<4 {
                await client.call("/profile")
                await world.pause(seconds: 1)
            }
            _ = await world.send(.get, "/posts", access: old, connection: 2)
            await client.call()
        }
        #expect(found == [])
    }

    @Test("The live judge accepts clients without a token that meet another's rate limit")
    func strangers() throws {
        let found = try JudgedWorld(routes: [Self.limited]).findings { world, _ in
            for stranger in 20..<24 as Range<UInt64> {
                _ = await world.send(.get, "/posts", connection: stranger)
                await world.pause(seconds: 1)
            }
        }
        #expect(found == [])
    }

    @Test("The live judge accepts a call that is served without a token")
    func anonymous() throws {
        let open = TokenRoute.get("/config").withoutToken()
        let found = try JudgedWorld(routes: [.get("/posts"), open]).findings { world, client in
            await client.call("/config")
            _ = await world.send(.get, "/config", connection: client.connection)
            await client.call()
            _ = await world.send(.get, "/posts", connection: client.connection)
            await client.signIn(account: 1)
            await client.call()
        }
        #expect(found == [])
    }

    @Test("The live judge accepts a reloaded page that refreshes to get an access token")
    func loaded() throws {
        let found = try JudgedWorld(JudgedWorld.bareForm).findings { world, client in
            for _ in 0..<3 {
                await world.pause(seconds: 3)
                _ = await world.send(.get, "/posts", connection: client.connection)
                await client.load()
                await client.call()
            }
        }
        #expect(found == [])
    }

    @Test("The live judge reports refreshes in a row that show no access token")
    func unasked() throws {
        let found = try JudgedWorld(JudgedWorld.bareForm).findings { _, client in
            for _ in 0..<3 { await client.load() }
        }
        let text = "S3 T2 was refreshed although no response had refused it, 0."
        #expect(found.count == 1 && found[0].hasPrefix(text), "\(found)")
    }

    @Test("The live judge accepts a call that an app sends again after it was suspended")
    func suspended() throws {
        let found = try JudgedWorld().findings { world, client in
            for pause in [12.0, 60] {
                world.backend.expireAccessTokens()
                _ = await world.send(
                    .get, "/posts", access: client.access, connection: client.connection)
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: pause)
                if pause > 30 { await client.call("/profile") }
                await client.call()
            }
        }
        #expect(found == [])
    }

    @Test("The live judge expects no waiting call of an ended session after the next sign-in")
    func abandoned() throws {
        let found = try JudgedWorld().findings { world, _ in
            let name = ["X-Squall-User": "anna"]
            let client = LiveClient(world, connection: 7)
            client.fields = name
            await client.signIn()
            world.backend.expireAccessTokens()
            _ = await world.send(.get, "/posts", access: client.access, fields: name)
            await client.signIn()
            await world.pause(seconds: 11)
            await client.call("/profile")
        }
        #expect(found == [])
    }

    @Test("The live judge accepts a client's usual pauses where the server's time is faster")
    func fast() throws {
        let world = JudgedWorld()
        world.judge.speed = 50
        let found = try world.findings { world, client in
            for _ in 0..<3 {
                world.backend.expireAccessTokens()
                await client.call("/profile")
                let old = client.access
                _ = await world.send(.get, "/posts", access: old, connection: client.connection)
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: 12.5)
                await client.call("/profile")
                await client.call()
            }
        }
        #expect(!found.contains { $0.hasPrefix("L5") }, "\(found)")
    }

    @Test("The live judge accepts a write that is sent again after its response")
    func writtenAgain() throws {
        let found = try JudgedWorld().findings { _, client in
            for _ in 0..<3 { await client.call("/orders", .post, body: "one") }
        }
        #expect(found == [])
    }

    @Test(
        "A repeated call changes data twice if it is a POST or PATCH and no query",
        arguments: [
            (HTTPMethod.post, "/orders", "", true), (.patch, "/me", "", true),
            (.put, "/me", "", false), (.delete, "/items/3", "", false), (.head, "/", "", false),
            (.post, "/posts/search", "", false), (.post, "/graphql", "query {a}", false),
            (.post, "/graphql", "mutation {a}", true),
        ])
    func writes(method: HTTPMethod, path: String, body: String, isWrite: Bool) {
        let url = WebURL(origin: "http://a.test", path: path)
        let request = URLRequest(url: url, method: method, body: Body(body))
        #expect(LiveCalls.isWrite(request) == isWrite)
    }

    @Test("The live judge accepts two pages with a token each where the server takes both")
    func pages() throws {
        let found = try JudgedWorld().findings { world, client in
            let other = LiveClient(world, connection: 2)
            other.refresh = client.refresh
            await other.refreshNow((client.access, client.refresh))
            for _ in 0..<8 {
                await client.call()
                await other.call()
                await world.pause(seconds: 1)
            }
        }
        #expect(found == [])
    }

    @Test("The live judge takes any token of refreshes at once for the one that the app keeps")
    func siblings() throws {
        let found = try JudgedWorld().findings { world, client in
            let pair = (client.access, client.refresh)
            let second = LiveClient(world, connection: 2)
            await client.refreshNow(pair)
            await client.call()
            await withTaskGroup(of: Void.self) { group in
                for one in [client, second] {
                    let pair = (client.access, client.refresh)
                    group.addTask { await one.refreshNow(pair) }
                }
            }
            for token in [client.access, second.access, client.access, second.access] {
                _ = await world.send(.get, "/posts", access: token, connection: 1)
                await world.pause(seconds: 1)
            }
            world.backend.expireAccessTokens()
            for token in [client.access, second.access] {
                _ = await world.send(.get, "/posts", access: token, connection: 1)
                await world.pause(seconds: 1)
            }
        }
        #expect(found.filter { $0.hasPrefix("S2") } == [])
    }

    @Test("The live judge accepts a long upload that began before its token was replaced")
    func upload() throws {
        let found = try JudgedWorld().findings { world, client in
            let (old, began) = (client.access, world.simulation.now.nanoseconds)
            world.backend.expireAccessTokens()
            for _ in 0..<4 {
                await client.call()
                await world.pause(seconds: 1)
            }
            _ = await world.send(.post, "/orders", access: old, connection: 9, began: began)
            await client.call()
            let later = world.simulation.now.nanoseconds
            _ = await world.send(.get, "/v1/users/logout", access: client.access)
            await world.pause(seconds: 1)
            _ = await world.send(
                .post, "/orders", access: client.access, connection: 9, began: later)
        }
        #expect(found == [])
    }

    @Test("The live judge accepts a refresh with older tokens when the new ones were left unread")
    func unread() throws {
        let leeway = RefreshSemantics.rotatingWithLeeway(windowNanoseconds: .max, generations: 9)
        let world = JudgedWorld(refresh: leeway)
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            let old = (client.access, client.refresh)
            await client.call()
            world.judge.closed(connection: client.connection, isUnread: true)
            await world.pause(seconds: 1)
            (client.access, client.refresh) = old
            await client.call()
        }
        #expect(found == [] && world.judge.summary.redundantRefreshes == 0)
    }

    @Test("A user who is named in some requests alone is one user")
    func partlyNamed() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            let name = ["X-Squall-User": "anna"]
            for _ in 0..<3 {
                _ = await world.send(.get, "/posts", access: client.access, fields: name)
                world.backend.expireAccessTokens()
                await client.call()
            }
        }
        #expect(found == [] && world.judge.summary.users == 1)
    }

    @Test("The live judge accepts a renewal after half of the life, with the access token or not")
    func early() throws {
        for shows in [true, false] {
            let found = try JudgedWorld().findings { world, client in
                client.refreshShowsAccess = shows
                for _ in 0..<4 {
                    await world.pause(seconds: 160)
                    await client.refreshNow((client.access, client.refresh))
                    await client.call()
                }
            }
            #expect(found == [])
        }
    }

    @Test("The live judge accepts a heartbeat whose responses take longer than its interval")
    func heartbeat() throws {
        let found = try JudgedWorld().findings { world, client in
            _ = world.backend.beginFault(.answerLate(by: .milliseconds(1_500)))
            await withTaskGroup(of: Void.self) { group in
                for second in 0..<4 {
                    group.addTask {
                        await world.pause(seconds: Double(second))
                        await client.call("/orders", .post, body: "online")
                    }
                }
            }
        }
        #expect(found == [])
    }

    @Test(
        "The live judge accepts a repeated write with its key, in a field or in the body",
        arguments: [
            "Idempotency-Key", "X-Idempotency-Key", "PayPal-Request-Id", "Cko-Idempotency-Key", "",
        ])
    func sameKey(field: String) throws {
        let world = JudgedWorld()
        let body = field.isEmpty ? #"{"order": 7, "idempotency_key": "k1"}"# : #"{"order": 7}"#
        let found = try world.findings { world, client in
            client.fields = field.isEmpty ? [:] : [field: "k1"]
            await world.losing { await client.call("/orders", .post, body: body) }
            await client.call("/orders", .post, body: body)
        }
        #expect(found == [])
        #expect(world.outcome("S10") == .kept)
    }

    @Test("A write with another body after a lost response is not judged")
    func otherBody() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            await world.losing { await client.call("/orders", .post, body: #"{"order": 7}"#) }
            await client.call("/orders", .post, body: #"{"order": 8}"#)
        }
        #expect(found == [])
        #expect(world.outcome("S10") == .notJudged(BrokenPromise.maybeWritten("POST /orders")))
    }

    @Test("The live judge accepts processes that start at once and each refresh the shared session")
    func startingPods() throws {
        let found = try JudgedWorld().findings { world, client in
            let pods = (10..<13).map { LiveClient(world, connection: $0) }
            for pod in pods {
                pod.refresh = client.refresh
                await pod.load()
                await pod.call()
                await world.pause(seconds: 0.3)
            }
            for _ in 0..<3 {
                await world.pause(seconds: 3)
                for pod in pods { await pod.call() }
            }
        }
        #expect(found == [])
    }
}
