import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices
import Testing

@testable import SquallRaces

@Suite("Promises that a live client breaks once")
struct LivePromiseTests {
    private func found(
        _ stage: LiveStage = LiveStage(refresh: .coexist),
        _ body: @escaping @Sendable (LiveStage, LiveClient) async -> Void
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

    @Test("The live judge reports a call after the sign-out")
    func signedOut() throws {
        let found = try found { stage, client in
            _ = await stage.send(
                .get, "/v1/users/logout", access: client.access, refresh: client.refresh)
            await stage.pause(seconds: 1)
            await client.call("/profile")
        }
        #expect(found == ["S6 GET /profile went out with T0 after the sign-out"])
    }

    @Test("The live judge reports a call without its token on the user's connection")
    func anonymous() throws {
        let found = try found { stage, client in
            _ = await stage.send(.get, "/posts", connection: 9)
            _ = await stage.send(.get, "/posts", connection: client.connection)
            await client.call()
        }
        #expect(found == ["S18 GET /posts went out without a token"])
    }

    @Test("The live judge reports another user's refresh token and access token")
    func foreign() throws {
        let stage = LiveStage(refresh: .coexist)
        let other = LiveClient(stage, connection: 2)
        let found = try found(stage) { stage, client in
            await other.signIn(account: 1)
            await stage.pause(seconds: 1)
            await client.refreshNow((client.access, other.refresh))
        }
        #expect(found.contains("S12 refresh went out with R0 of user 2"), "\(found)")
    }

    @Test("The live judge reports a failed call that is sent again at once, twice")
    func pauseless() throws {
        let failing = TokenRoute.get("/posts", status: 503)
        let found = try found(LiveStage(refresh: .coexist, routes: [failing])) { stage, client in
            for _ in 0..<2 { await client.call() }
            await stage.pause(seconds: 2)
            for _ in 0..<3 { await client.call() }
        }
        #expect(found == ["S21 GET /posts failed and was sent again 2 times without a pause"])
    }

    @Test("The live judge reports screens that all send a failed call again without a pause")
    func pauselessScreens() throws {
        let failing = TokenRoute.get("/posts", status: 503)
        let found = try found(LiveStage(refresh: .coexist, routes: [failing])) { stage, client in
            await client.calls(3)
            await stage.pause(seconds: 2)
            await withTaskGroup(of: Void.self) { group in
                for screen in 1...3 as ClosedRange<UInt64> {
                    group.addTask {
                        for _ in 0..<8 {
                            _ = await stage.send(
                                .get, "/posts", access: client.access, connection: screen)
                        }
                    }
                }
            }
        }
        #expect(found == ["S21 GET /posts failed and was sent again 2 times without a pause"])
    }

    @Test("The live judge reports a retry before the time in Retry-After")
    func impatient() throws {
        let failing = TokenRoute(.get, "/posts") { _ in
            var reply = ServiceReply(status: 503, json: "{}")
            reply.headers.append((name: "Retry-After", value: "30"))
            return reply
        }
        let found = try found(LiveStage(refresh: .coexist, routes: [failing])) { stage, client in
            await client.call()
        }
        #expect(found.count == 1 && found[0].hasPrefix("S21 GET /posts was sent again after 1."))
        #expect(found[0].hasSuffix("although the server had asked to wait 30.000 s"))
    }

    @Test("The live judge reports a write sent twice at once, and none that the user means twice")
    func written() throws {
        let stage = LiveStage(refresh: .coexist)
        let found = try found(stage) { stage, client in
            await client.call("/orders", .post, body: "one")
            await stage.pause(seconds: 1)
            await client.call("/orders", .post, body: "one")
            await stage.pause(seconds: 1)
            async let first = client.call("/orders", .post, body: "two")
            async let second = client.call("/orders", .post, body: "two")
            _ = await (first, second)
        }
        #expect(found.count == 1 && found[0].hasPrefix("S10 POST /orders was done twice"))
    }

    @Test("The live judge reports a refresh that no rejection asked for and that is not due")
    func needless() throws {
        let found = try found { _, client in
            await client.refreshNow((client.access, client.refresh))
        }
        #expect(found == ["S3 T0 was refreshed although no response had refused it"])
    }

    @Test("The live judge reports a refresh of a session that the server has ended")
    func ended() throws {
        let found = try found { stage, client in
            stage.backend.expireAccessTokens()
            stage.backend.revokeRefreshTokens()
            await client.call()
            await stage.pause(seconds: 1)
            await client.refreshNow((client.access, client.refresh))
        }
        #expect(found.contains("L4 \(BrokenPromise.refreshedWhenOver)"), "\(found)")
    }

    @Test("The live judge reports a call that is refused and refreshed again and again")
    func loop() throws {
        let found = try found { stage, client in
            for _ in 0..<3 {
                stage.backend.expireAccessTokens()
                _ = await stage.send(
                    .get, "/posts", access: client.access, connection: client.connection)
                await client.refreshNow((client.access, client.refresh))
            }
        }
        #expect(found.contains("L3 \(BrokenPromise.loops(3))"), "\(found)")
    }

    @Test("The live judge reports more calls at once than any screen makes")
    func crowd() throws {
        let found = try found { _, client in await client.calls(40) }
        #expect(found.first == "S17 33 calls are open at once")
    }

    @Test("Promises that no request can show are listed as not judged, the others by evidence")
    func verdicts() throws {
        let stage = LiveStage(refresh: .coexist)
        _ = try found(stage) { _, _ in }
        let outcomes = Dictionary(
            uniqueKeysWithValues: stage.judge.verdicts.map { ($0.promise.id, $0.outcome) })
        #expect(outcomes["S1"] == .notObserved && outcomes["S18"] == .kept)
        let names = LiveJudge.unjudgedPromises.map(\.id)
        #expect(names.contains("S5") && names.contains("S13") && !names.contains("S1"))
    }
}

@Suite("Pages as a live judge reads them")
struct LiveReadingTests {
    private func page(_ items: [Int32], isFirst: Bool = false, isLast: Bool = false) -> ListPage {
        ListPage(
            of: ListID(1), by: .cursor, isFirst: isFirst, isLast: isLast, items: items,
            itemsEver: 9, rowsScanned: 0)
    }

    @Test("A page that comes again while its list was begun once was fetched twice")
    func twice() {
        var reading = LiveReading()
        #expect(reading.read(page([9, 8], isFirst: true), 1) == nil)
        #expect(reading.read(page([7, 6]), 2) == nil)
        #expect(reading.read(page([7, 6]), 3)?.requests == [2, 3])
        var again = LiveReading()
        for number in 0..<2 {
            #expect(again.read(page([9, 8], isFirst: true), UInt32(number * 2)) == nil)
            #expect(again.read(page([7, 6]), UInt32(number * 2 + 1)) == nil)
        }
    }
}
