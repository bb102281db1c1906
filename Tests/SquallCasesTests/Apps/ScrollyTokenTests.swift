import Testing

import SquallApps
@testable import SquallCases

@Suite("Scrolly's tokens")
struct ScrollyTokenTests {
    private let phone = Phone()
    private let app: Scrolly

    init() { app = phone.install(Scrolly.self) }

    private func novels(_ count: Int) -> [@Sendable () async -> StepOutcome] {
        let app = app
        return Array(repeating: { await app.call(.model) }, count: count)
    }

    @Test("After three sends and three good refreshes a call's completion is dropped")
    func limit() throws {
        phone.server.newTokensAreGood = false
        #expect(try phone.run(novels(1)) == [nil])
        #expect(phone.server.count("/posts") == 3 && phone.server.count("/refresh") == 3)
        #expect(phone.parked == ["ScrollyRetryInterceptor.retry"])
    }

    @Test("A call is sent again one second after its refresh, and all of them at the same instant")
    func delay() throws {
        let app = app
        #expect(try phone.run(seconds: 2.9) { await app.call(.model) } == nil)
        #expect(phone.server.count("/posts") == 1)
        try phone.run(seconds: 0.2) {}
        #expect(phone.server.count("/posts") == 2)
    }

    @Test(
        "Any failed refresh ends the session: N calls make N reports, and N Splash screens refresh",
        arguments: [
            ScriptedServer.Refresh.status(418), .status(401), .status(403), .status(429),
            .status(500), .isLost,
        ])
    func refusedRefresh(failure: ScriptedServer.Refresh) throws {
        phone.server.refresh = failure
        #expect(try phone.run(novels(3)) == [.loggedOut, .loggedOut, .loggedOut])
        #expect(app.scene.expiryReports == 3 && phone.server.count("/refresh") == 3 + 3)
        #expect(app.needsSignIn && app.storage.refresh == "R")
    }

    @Test(
        "An expired document or deletion refreshes nothing, an expired upload does",
        arguments: [(CallKind.bytes, 0), (.status, 0), (.upload, 1), (.model, 1), (.picture, 0)])
    func kinds(kind: CallKind, refreshes: Int) throws {
        let app = app
        let outcome = try phone.run { await app.call(kind) }
        #expect(phone.server.count("/refresh") == refreshes)
        #expect(outcome?.isSuccess == (refreshes == 1))
    }

    @Test(
        "Splash looks once, after two seconds: a later answer leaves it there for ever",
        arguments: [(1.0, StepOutcome.rendered), (3, .stuck("splash"))])
    func splash(seconds: Double, outcome: StepOutcome) throws {
        phone.server.seconds = { _, _ in seconds }
        let app = app
        #expect(try phone.run { await app.launch() } == outcome)
        #expect(phone.server.calls == ["GET /v1/auth/refresh"] && app.storage.access == "T1")
    }

    @Test("Without a token Splash sends no request and stays for ever")
    func emptySplash() throws {
        let app = Scrolly(device: phone.device, design: "asBuilt")
        #expect(try phone.run { await app.launch() } == .stuck("splash"))
        #expect(phone.server.calls.isEmpty)
    }
}
