import SquallClient
import SquallHTTP
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// Which of Scrolly's main screens live, and what they ask for.
@Suite("The life of Scrolly's main screens")
struct ScrollyLifeTests {
    private let phone = Phone()
    private let app: Scrolly

    init() { app = phone.install(Scrolly.self) }

    private var server: ScriptedServer { phone.server }
    private let episode = ScrollyEpisode(postID: "p1", document: "uploads/a.pdf", price: 100)

    /// One tap on an episode: how many calls it makes without refreshes, and how many refreshes.
    private func tap() throws -> (calls: Int, refreshes: Int) {
        let (app, episode) = (app, episode)
        app.screen.withLock { $0.freeEpisode = episode }
        let (calls, refreshes) = (server.calls.count, server.count("/refresh"))
        _ = try phone.run { await app.openFreeEpisode() }
        let asked = server.causes.dropFirst(calls).count { $0.attempt == 0 && $0.refreshFor == nil }
        return (asked, server.count("/refresh") - refreshes)
    }

    /// Lets the main screen be replaced: a call meets an expired token, its refresh fails, and that
    /// of the new Splash succeeds.
    private func replaceMain() throws {
        let (app, before) = (app, server.count("/refresh"))
        app.storage.access = "expired"
        server.refresh = .inTurn(Array(repeating: 200, count: before) + [500, 200])
        _ = try phone.run { await app.call(.model) }
        server.refresh = .succeeds
    }

    @Test(
        "Each main screen that was replaced reloads at every tap: 8 calls, 12 after 1, 28 after 5",
        arguments: [(0, 8, 6), (1, 12, 10), (5, 28, 26)])
    func replaced(times: Int, calls: Int, refreshes: Int) throws {
        let app = app
        _ = try phone.run { await app.launch() }
        for _ in 0..<times { try replaceMain() }
        let whileGood = try tap()
        #expect(whileGood.calls == calls && whileGood.refreshes == 0)
        app.storage.access = "expired"
        let whenExpired = try tap()
        #expect(whenExpired.calls == calls && whenExpired.refreshes == refreshes)
    }

    @Test("A sign-in makes a main screen beside the old one, in a process that has one")
    func signIn() throws {
        let app = app
        _ = try phone.run { await app.launch() }
        server.serve("/login")
        _ = try phone.run { await app.signIn() }
        #expect(try tap().calls == 12)
    }

    @Test("The first sign-in of a process makes its first main screen")
    func firstSignIn() throws {
        let app = app
        _ = try phone.run { await app.signIn() }
        #expect(try tap().calls == 8)
    }

    @Test("A start of the process sets it back")
    func start() throws {
        let app = app
        _ = try phone.run { await app.launch() }
        for _ in 0..<3 { try replaceMain() }
        _ = try phone.run { await app.launch() }
        #expect(try tap().calls == 8)
    }

    @Test("Calls of covered and of replaced main screens are marked, and so are their refreshes")
    func marks() throws {
        let app = app
        _ = try phone.run { await app.launch() }
        try replaceMain()
        app.storage.access = "expired"
        let before = server.causes.count
        _ = try tap()
        let causes = server.causes.dropFirst(before).filter { $0.attempt == 0 }
        for state in [ScreenState.covered, .replaced] {
            let own = causes.filter { $0.screen == state }
            #expect(own.count { $0.refreshFor == nil } == 4)
            #expect(own.count { $0.refreshFor != nil } == 4)
        }
        #expect(causes.count { $0.screen == .inFront } == 12 - 8 + 2)
    }

    @Test("The Splash and the Main that follow a covered screen's failure lie in front")
    func splashInFront() throws {
        let app = app
        _ = try phone.run { await app.launch() }
        app.storage.access = "expired"
        server.refresh = .inTurn([200, 500, 200])
        _ = try phone.run { await ScreenState.covered.asks { await app.call(.model) } }
        let states = server.causes.dropFirst().map(\.screen)
        #expect(states == [.covered, .covered] + Array(repeating: .inFront, count: 5))
    }
}
