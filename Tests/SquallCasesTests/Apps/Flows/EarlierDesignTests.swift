import SquallHTTP
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// The designs that 이책저책 and OOTD had before those they ended with, and variants of theirs.
@Suite("Earlier designs")
struct EarlierDesignTests {
    private let phone = Phone()

    private var server: ScriptedServer { phone.server }

    private func book(_ design: String) -> ThisBookThatBook {
        phone.install(ThisBookThatBook.self, design: design)
    }

    @Test("A refresh in each method calls the method again, uploads and deletions too")
    func recursion() throws {
        let app = book("recursiveRefresh")
        _ = try phone.run { await app.call(.upload) }
        app.storage.access = "old"
        _ = try phone.run { await app.call(.text) }
        let refresh = "GET /v1/auth/refresh"
        let (upload, deletion) = ("POST /v1/posts/files", "DELETE /v1/posts/" + CallKind.noID)
        #expect(server.calls == [upload, refresh, upload, deletion, refresh, deletion])
        #expect(!app.needsSignIn)
    }

    @Test("A refresh in each method loops without a pause while new tokens are rejected as expired")
    func endless() throws {
        server.newTokensAreGood = false
        let app = book("recursiveRefresh")
        #expect(try phone.run(seconds: 9.5) { await app.openFeed(tab: 0) } == nil)
        #expect(server.count("/posts") == 5 && server.count("/refresh") == 5)
    }

    @Test(
        "A failed refresh in each method is the default error; only 418 ends the session",
        arguments: [(418, StepOutcome.loggedOut), (500, .toast("default"))])
    func refused(status: Int, outcome: StepOutcome) throws {
        server.refresh = .status(status)
        let app = book("recursiveRefresh")
        #expect(try phone.run { await app.openFeed(tab: 0) } == outcome)
        #expect(server.count("/refresh") == 1)
    }

    @Test("As first committed, a good refresh leaves its call waiting, and the next tap works")
    func withoutInterception() throws {
        let app = book("unheardRefresh")
        #expect(try phone.run { await app.openFeed(tab: 0) } == .stuck("feed"))
        #expect(app.storage.access == "T1")
        #expect(try phone.run { await app.openFeed(tab: 0) } == .rendered)
        #expect(server.count("/posts") == 2 && server.count("/refresh") == 1)
    }

    @Test("Pictures without key and token carry neither", arguments: ["asBuilt", "plainPictures"])
    func pictures(design: String) throws {
        let app = book(design)
        _ = try phone.run { await app.call(.picture) }
        let headers = ["SesacKey", "Authorization"].map {
            server.requests.last?.value(forHTTPHeaderField: $0) != nil
        }
        #expect(headers == Array(repeating: design == "asBuilt", count: 2))
    }

    @Test(
        "Checks and throttles keep six of nine calls of a hasty sign-up back, and hold it up",
        arguments: [("asBuilt", 2, 1), ("unguardedButtons", 6, 3)])
    func buttons(design: String, checks: Int, joins: Int) throws {
        server.seconds = { _, _ in 0.1 }
        var sent = 0
        server.body = { _, request in
            guard request.url.path.hasSuffix("/join") else { return nil }
            sent += 1
            // The first of two sign-ups with one address has taken it.
            return sent > 1 ? "{}" : nil
        }
        let app = book(design)
        _ = try phone.run { await app.joinInHaste() }
        #expect(server.count("/email") == checks && server.count("/join") == joins)
    }

    @Test("An error that is a failure ends the button's stream until its screen is made again")
    func deadButton() throws {
        server.goodTokens = ["T0"]
        server.serve("/post", status: 500)
        let app = phone.install(OOTD.self, design: "failingSingle")
        _ = try phone.run { await app.openEditor(pictures: 1) }
        server.forget("/post")
        #expect(try phone.run { await app.postAgain() } == .missing("deadButton"))
        #expect(server.count("/post") == 1)
        #expect(try phone.run { await app.openEditor(pictures: 1) } == .rendered)
    }

    @Test("An error that is a value leaves the button alive")
    func livingButton() throws {
        server.goodTokens = ["T0"]
        server.serve("/post", status: 500)
        let app = phone.install(OOTD.self)
        _ = try phone.run { await app.openEditor(pictures: 1) }
        server.forget("/post")
        #expect(try phone.run { await app.postAgain() } == .rendered)
        #expect(try phone.run { await app.postAgain() } == .nothingToDo)
        #expect(server.count("/post") == 2)
    }

    @Test("A start of the process makes every screen again")
    func start() throws {
        server.serve("/login", status: 500)
        let app = phone.install(OOTD.self, design: "failingSingle")
        _ = try phone.run { await app.signIn() }
        #expect(try phone.run { await app.signIn() } == OOTD.deadButton)
        app.processStarted()
        server.forget("/login")
        #expect(try phone.run { await app.signIn() } == .rendered)
    }

    @Test("With a weak delegate a replaced main screen loads nothing at a tap")
    func weakDelegate() throws {
        let app = phone.install(Scrolly.self, design: "weakDelegate")
        _ = try phone.run { await app.launch() }
        app.storage.access = "expired"
        server.refresh = .inTurn([200, 500, 200])
        _ = try phone.run { await app.call(.model) }
        app.screen.withLock {
            $0.freeEpisode = ScrollyEpisode(postID: "p1", document: "uploads/a.pdf", price: 100)
        }
        let before = server.calls.count
        _ = try phone.run { await app.openFreeEpisode() }
        #expect(server.calls.count - before == 8)
    }
}
