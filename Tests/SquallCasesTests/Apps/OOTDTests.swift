import SquallClient
import SquallHTTP
import SquallKernel
import Testing

import SquallApps
@testable import SquallCases

@Suite("OOTD's tokens")
struct OOTDTokenTests {
    private let phone = Phone()
    private let app: OOTD

    init() {
        app = phone.install(OOTD.self)
        phone.server.refusesEarlyRefreshes = true
    }

    private var server: ScriptedServer { phone.server }

    private func pages(_ count: Int) -> [@Sendable () async -> StepOutcome] {
        let app = app
        return Array(
            repeating: {
                app.shown(await app.api.single(.posts(next: ""), as: OOTDPage.self), of: .posts)
            },
            count: count)
    }

    @Test(
        "A refused refresh is asked for once by each call, and nobody is signed out",
        arguments: [418, 401, 403, 429, 500])
    func refusedRefresh(status: Int) throws {
        server.refresh = .status(status)
        let statuses = try phone.run(errors(3))
        #expect(statuses == [.tokenExpired, .tokenExpired, .tokenExpired])
        #expect(server.count("/refresh") == 3 && server.count("/post") == 3)
        #expect(!app.needsSignIn && app.keychain.read(.refreshToken) == "R")
    }

    private func errors(_ count: Int) -> [@Sendable () async -> OOTDCommonError?] {
        let app = app
        return Array(
            repeating: { await app.api.single(.posts(next: ""), as: OOTDPage.self).error },
            count: count)
    }

    @Test("OO-2: a 419 that arrives after a new token was stored fails a call that was fine")
    func lateExpiry() throws {
        server.seconds = { call, _ in call == 1 ? 3.5 : 1 }
        #expect(try phone.run(errors(2)) == [.some(nil), .tokenExpired])
        // The second refresh carries the new token and is refused; nothing is sent again.
        #expect(server.count("/refresh") == 2 && server.count("/post") == 3)
        #expect(server.requests.last?.value(forHTTPHeaderField: "Authorization") == "T1")
    }

    @Test("A refresh whose 200 does not decode leaves its call for ever")
    func garbledRefresh() throws {
        server.refresh = .isGarbled
        #expect(try phone.run(pages(1)) == [nil])
        #expect(phone.parked == ["OOTDInterceptor.retry"])
    }

    @Test("A refresh without an answer ends its call with the 419")
    func lostRefresh() throws {
        server.refresh = .isLost
        #expect(try phone.run(errors(1)) == [.tokenExpired])
        #expect(phone.parked.isEmpty)
    }

    @Test("OO-3: on a fresh device every call that needs a token never starts and never ends")
    func freshDevice() throws {
        app.keychain.removeAll()
        #expect(try phone.run(pages(2)) == [nil, nil])
        #expect(phone.parked == ["OOTDInterceptor.adapt", "OOTDInterceptor.adapt"])
        #expect(server.calls.isEmpty)
    }

    @Test("OO-4: a call that starts while a token is being written never ends", arguments: 0...2)
    func keychainGap(milliseconds: Int) throws {
        let (app, simulation) = (app, phone.simulation)
        let outcomes = try phone.together(
            { await app.openFeed() },
            {
                try? await simulation.sleep(
                    nanoseconds: 1_999_500_000 + Int64(milliseconds) * 1_000_000)
                return await app.openFeed()
            })
        // The refreshed token is written from 2 seconds on, for a millisecond.
        #expect(outcomes[0] == .rendered)
        #expect((outcomes[1] == nil) == (milliseconds == 1))
        #expect(phone.parked.count == (milliseconds == 1 ? 1 : 0))
    }

    @Test("OO-5: the e-mail check of a fresh device never ends, a sign-up does")
    func emailCheck() throws {
        app.keychain.removeAll()
        let app = app
        let outcomes = try phone.together(
            { await app.validateEmail("a@b.kr") },
            { await app.join(email: "a@b.kr", password: "p", nick: "n") })
        #expect(outcomes == [nil, .rendered])
        #expect(server.calls == ["POST /join"])
    }

    @Test("OO-7: the refresh button is refused while the token is valid")
    func manualRefresh() throws {
        server.goodTokens = ["T0"]
        let app = app
        #expect(try phone.run { await app.refresh() } == .missing("refresh"))
        #expect(server.calls == ["GET /refresh"] && app.keychain.read(.token) == "T0")
    }
}

@Suite("OOTD's screens")
struct OOTDScreenTests {
    private let phone = Phone()
    private let app: OOTD

    init() {
        app = phone.install(OOTD.self)
        phone.server.goodTokens = ["T0"]
    }

    @Test(
        "OO-8: one picture is posted, two end the app, none does nothing",
        arguments: [(0, StepOutcome.nothingToDo), (1, .rendered), (2, .crashed("preview"))])
    func pictures(count: Int, outcome: StepOutcome) throws {
        let app = app
        #expect(try phone.run { await app.post("text", pictures: count) } == outcome)
        #expect(phone.server.count("/post") == (outcome == .rendered ? 1 : 0))
    }

    @Test("A post is one form with its text, its picture and the product")
    func form() throws {
        let app = app
        try phone.run { await app.post("text", pictures: 1) }
        let request = try #require(phone.server.requests.first)
        let type = try #require(request.value(forHTTPHeaderField: "Content-Type"))
        #expect(type.hasPrefix("multipart/form-data; boundary=alamofire.boundary."))
        let text = String(decoding: request.body.bytes, as: UTF8.self)
        for name in ["content", "file", "product_id"] {
            #expect(text.contains(#"name="\#(name)""#))
        }
        #expect(text.contains("test0204"))
    }

    @Test("A second tap within a second passes at its end; of two answers the newer is shown")
    func throttle() throws {
        phone.server.seconds = { call, _ in call == 0 ? 3 : 1 }
        let app = app
        let outcomes = try phone.together(
            { await app.validateEmail("a@b.kr") }, { await app.validateEmail("b@b.kr") })
        #expect(outcomes == [.nothingToDo, .rendered])
        #expect(phone.server.count("/email") == 2)
    }

    @Test("An answer that does not decode emits nothing, and the button waits for ever")
    func undecodable() throws {
        phone.server.serve("/join", "{}")
        let app = app
        let outcome = try phone.run { await app.join(email: "a@b.kr", password: "p", nick: "n") }
        #expect(outcome == .stuck("join"))
    }

    @Test(
        "OOTD's errors have a general name first, then the call's own; a missing one has no text",
        arguments: [
            (CallName.createPost, 419, "createPost.tokenExpired"),
            (.createPost, 410, "unknown"),
            (.createPost, 429, "tooManyCalls"), (.join, 409, ""), (.join, 400, ""),
            (.validateEmail, 409, "validateEmail.conflict"), (.login, 401, "login.unauthorized"),
            (.posts, 419, ""), (.createPost, 445, "unknown"),
        ])
    func texts(call: CallName, status: Int, text: String) {
        #expect(OOTDCommonError(status: status).text(of: call) == text)
    }

    @Test("Without Moya's validation of success codes no 419 would reach the retrier")
    func moyaDefault() throws {
        phone.server.goodTokens = []
        let session = app.api.session
        let status = try phone.run {
            await session.request(AppCall<OOTD>.posts(next: "").request)
                .serializingResponse().response.response?.statusCode
        }
        #expect(status == 419)
        #expect(phone.server.count("/refresh") == 0)
    }
}
