import SquallBackend
import SquallHTTP
import SquallServices
import Synchronization
import Testing

@testable import SquallRaces

@Suite("The pace of calls, and what it tells of a client")
struct LiveRhythmTests {
    @Test("Equal calls at once that come again only when the next are due are found, too")
    func equalCalls() throws {
        let world = JudgedWorld()
        let found = try world.findings(.dropsCalls) { world, client in
            for _ in 0..<4 {
                world.backend.expireAccessTokens()
                for _ in 0..<4 {
                    await client.calls(3)
                    await world.pause(seconds: 3)
                }
            }
        }
        #expect(found.count == 1 && found[0].hasPrefix("L5 GET /posts"), "\(found)")
    }

    @Test(
        "Calls that come only in their turn are found, however soon their tokens end",
        arguments: [
            (10, 5, true, false), (60, 5, true, true), (60, 4, true, true), (60, 5, false, false),
        ] as [(Int, Int, Bool, Bool)])
    func ownPace(calls: Int, life: Int, isDropped: Bool, isFound: Bool) throws {
        let world = JudgedWorld(routes: [.get("/posts/{id}")])
        let found = try world.findings(isDropped ? .dropsCalls : .none, calls: false) {
            world, client in
            for number in 0..<calls {
                if number % life == life - 1 { world.backend.expireAccessTokens() }
                await client.call("/posts/\(number % 8)")
                await world.pause(seconds: 0.5)
            }
        }
        let text = "L5 GET /posts/{id} was refused as expired, the refresh succeeded, and the call"
        #expect(found.count == (isFound ? 1 : 0), "\(found)")
        #expect(found.allSatisfy { $0.hasPrefix(text + " came again only when") })
        #expect((world.outcome("L5") == .kept) == !isDropped, "\(world.outcome("L5") as Any)")
    }

    @Test("A refused call that comes later than any waits has not come again")
    func comesTooLate() throws {
        let found = try JudgedWorld().findings(.dropsCalls) { world, client in
            world.backend.expireAccessTokens()
            for path in ["/posts", "/profile", "/profile", "/posts"] {
                await client.call(path)
                await world.pause(seconds: 4)
            }
        }
        let text = "L5 GET /posts was refused as expired, the refresh succeeded, and the call never"
        #expect(found.count == 1 && found[0].hasPrefix(text), "\(found)")
    }

    @Test(
        "A call that waited for a slow refresh and was given up is not judged",
        arguments: [(1.0, ["L5 ×1"]), (8, [])] as [(Double, [String])])
    func slowRefresh(seconds: Double, promises: [String]) throws {
        let world = JudgedWorld()
        _ = try world.findings { world, client in
            world.backend.expireAccessTokens()
            let slow = world.backend.beginFault(
                .answerLate(by: .seconds(seconds)).on("refresh"))
            let old = (client.access, client.refresh)
            _ = await world.send(.get, "/posts", access: old.0, connection: 1)
            await client.refreshNow(old)
            _ = world.backend.endFault(slow)
            await world.pause(seconds: 15)
            await client.call("/profile")
        }
        #expect(world.found == promises)
        #expect(world.isNotJudged("L5") == promises.isEmpty)
    }

    @Test(
        "A call that is tried at one interval until it succeeds is found, and no poll",
        arguments: [
            (3.0, false, 60.0, ["S21 ×1"]), (3, false, 3, []), (3, true, 60, []),
            (12, false, 200, []),
        ] as [(Double, Bool, Double, [String])])
    func retriedEvenly(
        pause: Double, comesBefore: Bool, next: Double, promises: [String]
    ) throws {
        let world = JudgedWorld()
        _ = try world.findings { world, client in
            if comesBefore { await client.call("/profile") }
            await world.pause(seconds: comesBefore ? pause : 60)
            let down = world.backend.beginFault(.failing(status: 500))
            for _ in 0..<12 {
                await client.call("/profile")
                await world.pause(seconds: pause)
            }
            _ = world.backend.endFault(down)
            await client.call("/profile")
            await world.pause(seconds: next)
            await client.call("/profile")
        }
        #expect(world.found == promises)
    }

    @Test(
        "A call that comes when the server has asked it to is not tried at an interval of its own",
        arguments: [(true, []), (false, ["S21 ×1"])] as [(Bool, [String])])
    func comesWhenTold(isTold: Bool, promises: [String]) throws {
        let failures = Mutex(12)
        let busy = TokenRoute(.get, "/posts") { _ in
            let isOver = failures.withLock { left in
                left -= 1
                return left < 0
            }
            var reply = ServiceReply(status: isOver ? 200 : 503, json: "[]")
            if isTold, !isOver { reply.headers.append((name: "Retry-After", value: "3")) }
            return reply
        }
        let world = JudgedWorld(routes: [busy])
        _ = try world.findings(calls: false) { world, client in
            for pause in [60] + Array(repeating: 3.1, count: 12) + [60] {
                await world.pause(seconds: pause)
                _ = await world.send(.get, "/posts", access: client.access, connection: 1)
            }
        }
        #expect(world.found == promises)
    }

    @Test("Two timers, each of which replaces what the other brought, are named, not found")
    func twoTimers() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for round in 0..<3 {
                #expect(!world.isNotJudged("S3"), "\(round)")
                await world.pause(seconds: 200)
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: 2)
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: 20)
                await client.call()
            }
        }
        #expect(found == [] && world.isNotJudged("S3"))
    }

    @Test("Pages that each have a token and a timer keep their promises")
    func ownTimers() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for _ in 0..<5 {
                await world.pause(seconds: 200)
                await client.refreshNow((client.access, client.refresh))
                let own = client.access
                await world.pause(seconds: 2)
                await client.refreshNow((client.access, client.refresh))
                await world.pause(seconds: 20)
                await client.call()
                _ = await world.send(.get, "/profile", access: own, connection: 2)
            }
        }
        #expect(found == [] && !world.isNotJudged("S3"), "\(found)")
    }

    @Test("A write that comes at its pace is no repetition of one whose response was lost")
    func heartbeat() throws {
        let world = JudgedWorld()
        let found = try world.findings { world, client in
            for beat in 0..<6 {
                if beat == 3 {
                    await world.losing { await client.call("/orders", .post, body: "{}") }
                } else {
                    await client.call("/orders", .post, body: "{}")
                }
                await world.pause(seconds: 15)
            }
        }
        #expect(found == [] && world.isNotJudged("S10"), "\(found)")
    }
}
