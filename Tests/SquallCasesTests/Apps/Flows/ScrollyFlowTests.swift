import SquallHTTP
import SquallKernel
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// What Scrolly's screens do after an answer.
@Suite("Scrolly's flows")
struct ScrollyFlowTests {
    private let phone = Phone()
    private let app: Scrolly

    init() { app = phone.install(Scrolly.self) }

    private var server: ScriptedServer { phone.server }
    private let episode = ScrollyEpisode(postID: "p1", document: "uploads/a.pdf", price: 100)

    @Test("A refresh that fails once leads to a new Splash, and two seconds later to a new Main")
    func splashAgain() throws {
        server.refresh = .inTurn([500, 200])
        let app = app
        let outcome = try phone.run { await app.call(.model) }
        #expect(outcome?.isSuccess == false && outcome != .loggedOut)
        #expect(
            server.log == [
                "0.0 T0 GET /v1/posts", "1.0 T0 GET /v1/auth/refresh",
                "2.0 T0 GET /v1/auth/refresh", "4.0 T2 GET /v1/posts", "4.0 T2 GET /v1/posts",
                "4.0 T2 GET /v1/posts/likes-2/me", "4.0 T2 GET /v1/posts/hashtags",
            ])
        #expect(!app.needsSignIn)
        // Both refreshes serve the call that met the 419; the new screen's calls serve nobody.
        #expect(server.causes.map(\.refreshFor) == [nil, 0, 0, nil, nil, nil, nil])
        #expect(try phone.run { await app.call(.model) } == .rendered)
    }

    @Test("Every report of an expired session makes a Splash and a Main of its own")
    func splashForEach() throws {
        server.refresh = .inTurn([500, 500, 500, 200])
        let app = app
        try phone.run(Array(repeating: { await app.call(.model) }, count: 3))
        #expect(server.count("/refresh") == 3 + 3)
        #expect(server.log.count { $0.hasPrefix("4.0 ") } == 3 * 4)
    }

    @Test("A Splash whose refresh takes longer than its two seconds stays for ever")
    func slowSplash() throws {
        server.refresh = .inTurn([500, 200])
        server.seconds = { call, _ in call == 2 ? 3 : 1 }
        let app = app
        #expect(try phone.run { await app.call(.model) } == .stuck("splash"))
        #expect(server.calls.count == 3)
    }

    @Test(
        "Nothing follows a call that failed: no list behind a mark, no post behind a comment",
        arguments: [419, 500])
    func followUps(status: Int) throws {
        server.goodTokens = ["T0"]
        server.serve("/like-2", "", status: status)
        server.serve("/comments", "", status: status)
        server.refresh = .status(418)
        let (app, episode) = (app, episode)
        app.screen.withLock { screen in
            screen.freeEpisode = episode
            screen.comment = "c1"
        }
        _ = try phone.run { await app.deleteComment() }
        #expect(server.log == ["0.0 T0 DELETE /v1/posts/p1/comments/c1"])
        _ = try phone.run { await app.comment() }
        #expect(server.calls.filter { $0.hasPrefix("GET /v1/posts/p1") } == [])
        let before = server.calls.count
        app.screen.withLock { $0.paidEpisode = episode }
        _ = try phone.run { await app.buyEpisode() }
        #expect(!server.calls.dropFirst(before).contains("GET /v1/posts/likes-2/me"))
    }

    @Test("A dead session costs twelve refreshes for one tap on an episode")
    func deadEpisode() throws {
        server.refresh = .status(418)
        let (app, episode) = (app, episode)
        app.screen.withLock { $0.freeEpisode = episode }
        #expect(try phone.run { await app.openFreeEpisode() } == .loggedOut)
        #expect(server.count("/refresh") == 6 + 6)
    }

    @Test("Episodes are shown without marks when those failed: what was bought is sold again")
    func unmarked() throws {
        server.goodTokens = ["T0"]
        server.serve("/likes-2/me", "{}", status: 500)
        let post = Answers.post(1, price: 100, files: ["a.jpg", "a.pdf"])
        server.serve("/hashtags", Answers.page([post]))
        let app = app
        app.screen.withLock { $0.novelTag = "novel" }
        _ = try phone.run { await app.openNovel() }
        #expect(app.screen.withLock { $0.paidEpisode?.postID } == "p1")
        #expect(try phone.run { await app.buyEpisode() }?.isSuccess == true)
        #expect(server.calls.contains("POST /v1/payments/validation"))
    }

    @Test("A novel that does not load shows nothing of the one before")
    func noStaleEpisodes() throws {
        server.goodTokens = ["T0"]
        server.serve("/hashtags", "{}", status: 500)
        let (app, episode) = (app, episode)
        app.screen.withLock { screen in
            screen.novelTag = "novel"
            screen.freeEpisode = episode
        }
        _ = try phone.run { await app.openNovel() }
        let calls = server.calls.count
        #expect(try phone.run { await app.openFreeEpisode() } == .nothingToDo)
        #expect(server.calls.count == calls)
    }

    @Test("A cover that never comes does not hold the main screen up")
    func coversBeside() throws {
        server.goodTokens = ["T0"]
        server.serve("/v1/posts", Answers.page([Answers.post(1, files: ["uploads/a.jpg"])]))
        server.seconds = { _, request in request.url.path.hasSuffix(".jpg") ? 30 : 1 }
        let (app, simulation) = (app, phone.simulation)
        let end = try phone.run {
            _ = await app.loadMain()
            return simulation.now.nanoseconds
        }
        #expect(end == 1_000_000_000 && server.log.last == "1.0 T0 GET /v1/uploads/a.jpg")
    }

    @Test("The popular novels are the six with the most views: theirs are the covers")
    func popular() throws {
        server.goodTokens = ["T0"]
        let novels = (0..<8).map { number in
            Answers.post(number, files: ["uploads/\(number).jpg"]).replacing(
                #""content":"content""#, with: #""content":"c","content3":"\#(number * 100)""#)
        }
        server.serve("/v1/posts?limit=20", Answers.page(novels))
        server.serve("/v1/posts", Answers.page([Int]()))
        let app = app
        _ = try phone.run { await app.loadMain() }
        let covers = server.log.filter { $0.hasSuffix(".jpg") }.compactMap {
            $0.split(separator: "/").last
        }
        #expect(covers.count == 6)
        #expect(server.log.contains { $0.hasSuffix("/7.jpg") })
        #expect(!server.log.contains { $0.hasSuffix("/1.jpg") })
    }
}
