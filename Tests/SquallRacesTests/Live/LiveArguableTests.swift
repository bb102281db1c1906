import SquallBackend
import SquallHTTP
import SquallServices
import Testing

@testable import SquallRaces

/// What right and wrong clients both do.
@Suite("The live judge where it cannot know")
struct LiveArguableTests {
    @Test("The refusal of a refresh token that was exchanged ends no session")
    func superseded() throws {
        let found = try JudgedWorld(refresh: .oneShot).findings { world, client in
            let old = (client.access, client.refresh)
            world.backend.expireAccessTokens()
            await client.call()
            await client.refreshNow(old)
            await world.pause(seconds: 2)
            world.backend.expireAccessTokens()
            await client.call()
        }
        #expect(!found.contains { $0.hasPrefix("L4") }, "\(found)")
    }

    @Test("Forty calls at once are not judged")
    func gallery() throws {
        let world = JudgedWorld()
        let found = try world.findings { _, client in await client.calls(40) }
        #expect(found == [])
        #expect(world.isNotJudged("S17"), "\(String(describing: world.outcome("S17")))")
    }

    @Test("One of several refused calls that never comes again may have gone with its screen")
    func closedScreen() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            _ = await world.send(.get, "/profile", access: client.access, connection: 2)
            await client.call()
            await world.pause(seconds: 12)
            await client.call()
        }
        #expect(found == [])
        #expect(world.isNotJudged("L5"), "\(String(describing: world.outcome("L5")))")
    }

    @Test(
        "A waiter that comes only with the next screen is not judged once, and found the next time")
    func overtaken() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for round in 0..<2 {
                world.backend.expireAccessTokens()
                let old = client.access
                async let dropped = world.send(.get, "/profile", access: old, connection: 1)
                await client.call()
                _ = await dropped
                await world.pause(seconds: 3)
                async let profile = client.call("/profile")
                await client.call()
                _ = await profile
                if round == 0 {
                    #expect(world.isNotJudged("L5"), "\(String(describing: world.outcome("L5")))")
                }
                await world.pause(seconds: 3)
            }
        }
        #expect(found.count == 1 && world.found == ["L5 ×1"], "\(found)")
    }

    @Test("A waiter that comes again by itself, however late, is not the next screen's")
    func lateWaiter() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<3 {
                world.backend.expireAccessTokens()
                let old = client.access
                async let refused = world.send(.get, "/profile", access: old, connection: 1)
                await client.call()
                _ = await refused
                await world.pause(seconds: 2)
                await client.call("/profile")
                await world.pause(seconds: 2)
                async let profile = client.call("/profile")
                await client.call()
                _ = await profile
            }
        }
        #expect(found == [] && world.outcome("L5") == .kept)
    }

    @Test("A refused call that comes only when the next is due is not judged once, then found")
    func cameAnyway() throws {
        let world = JudgedWorld()
        let found = try world.findings(.dropsCalls) { world, client in
            for round in 0..<2 {
                #expect(round == 0 || world.isNotJudged("L5"))
                world.backend.expireAccessTokens()
                for _ in 0..<4 {
                    await client.call()
                    await world.pause(seconds: 3)
                }
            }
        }
        let text = found.first?.hasPrefix("L5 GET /posts was refused as expired, the refresh")
        #expect(text == true && world.found == ["L5 ×1"], "\(found)")
    }

    @Test("A client that waits before it sends a refused call again keeps its promise")
    func sendsAgainLater() throws {
        let world = JudgedWorld()
        let found = try world.findings(.dropsCalls) { world, client in
            for _ in 0..<3 {
                world.backend.expireAccessTokens()
                await client.call()
                await world.pause(seconds: 2)
                for _ in 0..<3 {
                    await client.call()
                    await world.pause(seconds: 5)
                }
            }
        }
        #expect(found == [] && world.outcome("L5") == .kept)
    }

    @Test("A client that asks at a person's pace and refreshes for each 401 is not judged")
    func otherRefusals() throws {
        let world = JudgedWorld(routes: [.get("/posts", status: 401)])
        let found = try world.findings { world, client in
            for _ in 0..<4 {
                await client.call()
                await client.refreshNow((client.access, client.refresh))
                await client.call()
                await world.pause(seconds: 3)
            }
        }
        #expect(found == [] && world.isNotJudged("S3"), "\(found)")
    }

    @Test("Calls that go on without a token are not judged where nothing names their client")
    func nameless() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, _ in
            for connection in UInt64(5)..<9 {
                _ = await world.send(.get, "/posts", connection: connection)
            }
        }
        #expect(found == [] && world.isNotJudged("S18") && world.judge.summary.tokenless == 4)
    }

    @Test(
        "A process that was ended before it had stored its new pair is not judged, once",
        arguments: zip([1, 2], [[], ["S1 ×1", "S8 ×2"]]) as Zip2Sequence<[Int], [[String]]>)
    func killed(times: Int, found: [String]) throws {
        let world = JudgedWorld(refresh: .rotatingCoexist)
        _ = try world.findings { world, client in
            let old = (client.access, client.refresh)
            for round in 0..<UInt64(times) {
                let process = LiveClient(world, connection: 10 + round)
                (process.access, process.refresh) = old
                if round == 0 { world.backend.expireAccessTokens() }
                _ = await world.send(.get, "/posts", access: old.0, connection: 10 + round)
                await process.refreshNow(old)
                world.judge.closed(connection: 10 + round)
                await world.pause(seconds: 2)
            }
            (client.access, client.refresh) = old
            await client.call()
        }
        #expect(
            world.found == found && world.isNotJudged("S8") == found.isEmpty, "\(world.found)")
    }

    @Test("A pair that seems lost at once was none if a request shows it later")
    func shownLater() throws {
        let world = JudgedWorld(refresh: .oneShot)
        _ = try world.findings { world, client in
            let old = (client.access, client.refresh)
            let other = LiveClient(world, connection: 10)
            world.backend.expireAccessTokens()
            await other.refreshNow(old)
            world.judge.closed(connection: 10)
            (client.access, client.refresh) = old
            await client.call()
            #expect(world.found == [] && world.isNotJudged("S8"))
            _ = await world.send(.get, "/profile", access: other.access, connection: 11)
        }
        #expect(world.found == ["S1 ×1", "S8 ×1"], "\(world.found)")
    }

    @Test("Calls without a token after the end are not judged where cookies may hold one")
    func cookies() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            client.fields = ["Cookie": "theme=dark"]
            await client.call()
            _ = await world.send(
                .get, "/v1/users/logout", access: client.access, refresh: client.refresh,
                connection: 1)
            await LivePromiseTests.poll(5, world, fields: client.fields)
        }
        #expect(found == [] && world.isNotJudged("S18"), "\(found)")
    }

    @Test("Refreshes that fail at one interval, as far apart as screens, are not judged")
    func atUsersPace() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            await world.pause(seconds: 290)
            _ = world.backend.beginFault(.failing(status: 503))
            for _ in 0..<12 {
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: 4)
            }
        }
        #expect(found == [] && world.isNotJudged("S21"), "\(found)")
    }

    @Test("Refreshes that fail at one interval beside a few refused calls are not judged as that")
    func besideCalls() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            await world.pause(seconds: 310)
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            for _ in 0..<12 {
                await client.refreshNow((client.access, client.refresh))
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                await world.pause(seconds: 4)
            }
        }
        #expect(found == [])
        guard case .notJudged(let why)? = world.outcome("S21") else {
            Issue.record("judged")
            return
        }
        #expect(why.hasSuffix(BrokenPromise.besideCalls))
    }

    @Test("A timer in step with refused calls may be calls that ask now and then")
    func inStep() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            await world.pause(seconds: 310)
            _ = world.backend.beginFault(.failing(status: 503).on("refresh"))
            for second in 0..<24 {
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
                if second % 2 == 0 { await client.refreshNow((client.access, client.refresh)) }
                await world.pause(seconds: 1.5)
            }
        }
        #expect(found == [] && world.isNotJudged("S21"), "\(found)")
    }

    @Test(
        "Refused calls that each ask for a refresh that fails are not judged at a script's pace",
        arguments: [(0.5, true), (3, false)])
    func askedQuickly(seconds: Double, isNotJudged: Bool) throws {
        let world = JudgedWorld()
        let found = try world.findings(.dropsCalls) { world, client in
            await world.pause(seconds: 310)
            _ = world.backend.beginFault(.failing(status: 500).on("refresh"))
            for _ in 0..<12 {
                await client.call()
                await world.pause(seconds: seconds)
            }
        }
        #expect(found == [] && world.isNotJudged("S21") == isNotJudged, "\(found)")
    }

    @Test("What a client does about a server that stood still is not judged")
    func stoodStill() throws {
        let world = JudgedWorld(refresh: .oneShot)
        let found = try world.findings { world, client in
            world.backend.expireAccessTokens()
            let pair = (client.access, client.refresh)
            await client.refreshNow(pair)
            await world.pause(seconds: 30)
            world.judge.stoodStill()
            await client.refreshNow(pair)
            _ = world.backend.beginFault(.failing(status: 503))
            for _ in 0..<2 { await client.refreshNow(pair) }
        }
        #expect(found == [] && world.isNotJudged("S21"), "\(found)")
    }

    @Test("A page that is loaded anew, refreshes and calls twice may keep its token in memory")
    func loadedAnew() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<4 {
                await world.pause(seconds: 3)
                await client.refreshNow((client.access, client.refresh))
                for _ in 0..<2 { await client.call() }
            }
        }
        #expect(found == [])
        #expect(world.isNotJudged("S3"), "\(String(describing: world.outcome("S3")))")
    }

    @Test("Pages that a script loads at even pauses, and those that a person loads, are no timer")
    func evenlyLoaded() throws {
        for isScript in [true, false] {
            let world = JudgedWorld()
            let found = try world.findings { world, client in
                for round in 0..<15 {
                    await world.pause(seconds: isScript ? 27 : 20 + Double(round * 7 % 5) * 3)
                    await client.refreshNow((client.access, client.refresh))
                    if !isScript { await world.pause(seconds: 3) }
                    for _ in 0..<2 { await client.call() }
                }
            }
            #expect(found == [])
            #expect(world.isNotJudged("S3"), "\(String(describing: world.outcome("S3")))")
        }
    }

    @Test(
        "A token where its service does not look for it makes no refresh needless",
        arguments: ["Authorization: OAuth …", "Cookie: sid=…", "?access_token=…", "body: token=…"])
    func misplaced(place: String) throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<4 {
                await world.pause(seconds: 3)
                let token = client.access
                let isQuery = place.hasPrefix("?")
                let answer = await world.send(
                    .get, isQuery ? "/posts?limit=3&access_token=\(token)" : "/posts",
                    access: place.hasPrefix("A") ? "OAuth \(token)" : nil,
                    body: place.hasPrefix("b") ? "limit=3&token=\(token)" : "", connection: 1,
                    fields: place.hasPrefix("C") ? ["Cookie": "lang=en; sid=\(token)"] : [:])
                #expect(answer?.status == 401)
                await client.refreshNow((client.access, client.refresh))
            }
        }
        #expect(found == [] && world.judge.summary.misplaced == 4, "\(found)")
        #expect(world.judge.summary.misplacedAs == place)
        #expect(world.isNotJudged("S3"), "\(String(describing: world.outcome("S3")))")
    }

    @Test("One who signs in before each call is one user, and not judged")
    func signsInAlways() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<4 {
                await client.signIn()
                await client.call()
                await world.pause(seconds: 1)
            }
        }
        #expect(found == [] && world.judge.summary.users == 1)
        #expect(world.isNotJudged("S3"), "\(String(describing: world.outcome("S3")))")
    }

    @Test("Jobs that each sign in and call once leave good tokens, and are not judged")
    func signsInForEach() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, _ in
            for job in 0..<8 {
                let client = LiveClient(world, connection: 10 + UInt64(job))
                await client.signIn()
                await client.call()
                await world.pause(seconds: 40)
            }
        }
        #expect(found == [])
        #expect(world.isNotJudged("S3"), "\(String(describing: world.outcome("S3")))")
    }

    @Test("Nothing about refreshes is kept where nothing was refreshed")
    func untested() throws {
        let world = JudgedWorld()
        _ = try world.findings { world, client in
            world.backend.expireAccessTokens()
            _ = await world.send(.get, "/posts", access: client.access, connection: 1)
        }
        for id in ["S1", "S3", "S4", "S8", "L3", "L4", "L5", "L8"] {
            #expect(world.outcome(id) == .notObserved, "\(id)")
        }
        #expect(world.judge.openExpiries == 1)
    }
}
