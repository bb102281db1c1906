import SquallClient
import SquallHTTP
import SquallKernel
import Synchronization
import Testing

import SquallApps
@testable import SquallCases

/// Journeys worked out by hand from the apps' code, at latencies and lifetimes that no profile has:
/// each call with its moment and its token.
///
/// A call takes a quarter of a second, a refresh half a second, and the server judges a token when
/// it answers. What is sent at one instant may be in any order.
@Suite("Journeys worked out by hand")
struct HandCalculationTests {
    private let phone = Phone()

    private var server: ScriptedServer { phone.server }
    private let episode = ScrollyEpisode(postID: "p1", document: "uploads/a.pdf", price: 100)

    private func install<App: MobileApp>(_ app: App.Type, lifetime: Double) -> App {
        server.lifetimeSeconds = lifetime
        server.goodTokens = ["T0"]
        server.seconds = { _, request in request.url.path.hasSuffix("/refresh") ? 0.5 : 0.25 }
        return phone.install(app)
    }

    /// Does something at a moment; what came of it, once everything has come to rest.
    @discardableResult
    private func at<Value: Sendable>(
        _ seconds: Double, _ body: @escaping @Sendable () async -> Value
    ) throws -> Value? {
        let wait = Int64(seconds * 1e9) - phone.simulation.now.nanoseconds
        let time = phone.device.environment.time
        return try phone.run {
            try? await time.sleep(nanoseconds: wait)
            return await body()
        }
    }

    /// What was sent, as lines of `moment token call`, each time sorted.
    private func expect(
        _ expected: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let log = server.log.map { $0.replacing("/v1/", with: "") }
        #expect(log.sorted() == expected.sorted(), sourceLocation: sourceLocation)
    }

    @Test("Scrolly.read: Splash refreshes, a novel two, an episode six and never its document")
    func read() throws {
        let (app, episode) = (install(Scrolly.self, lifetime: 3), episode)
        // Splash has its answer at 0.5 and looks at 2: T1 is good until 3.5.
        try at(0) { await app.launch() }
        try at(2) { await app.loadMain() }
        app.screen.withLock { $0.novelTag = "tag" }
        try at(10) { await app.openNovel() }
        app.screen.withLock { $0.freeEpisode = episode }
        try at(20) { await app.openFreeEpisode() }
        let main = ["posts", "posts", "posts/likes-2/me", "posts/hashtags"]
        let novel = ["posts/hashtags", "posts/likes-2/me"]
        let viewed = ["POST posts/p1/like-2", "GET posts/likes-2/me"]
        expect(
            ["0.0 T0 GET auth/refresh"] + main.map { "2.0 T1 GET \($0)" }
                + novel.map { "10.0 T1 GET \($0)" }
                // Both are told at 10.25, refreshed at 10.75, and sent a second later.
                + ["10.25 T1 GET auth/refresh", "10.25 T1 GET auth/refresh"]
                + novel.map { "11.75 T3 GET \($0)" }
                // T3 is good until 13.75.
                + (viewed.map { "20.0 T3 \($0)" } + main.map { "20.0 T3 GET \($0)" })
                + ["20.0 T3 GET uploads/a.pdf"]
                + Array(repeating: "20.25 T3 GET auth/refresh", count: 6)
                + (viewed.map { "21.75 T9 \($0)" } + main.map { "21.75 T9 GET \($0)" })
                // The mark is there at 22: the list of those viewed is loaded again.
                + ["22.0 T9 GET posts/likes-2/me"])
    }

    @Test("Scrolly.resume: nothing before the next tap, and a tab then refreshes three times")
    func resume() throws {
        let app = install(Scrolly.self, lifetime: 40)
        let journey = try #require(Scrolly.journeys.first { $0.name == "resume" })
        let steps = journey.steps.filter { $0.condition.applies(to: .openScreen) }
        #expect(steps.first?.name == "tab")
        try at(90) { await app.openTab(2) }
        expect(
            Array(repeating: "90.0 T0 GET posts/hashtags", count: 3)
                + Array(repeating: "90.25 T0 GET auth/refresh", count: 3)
                + Array(repeating: "91.75 T3 GET posts/hashtags", count: 3))
    }

    @Test("Scrolly.reopen: the main screen meets an expiry where the token dies behind Splash")
    func reopen() throws {
        let app = install(Scrolly.self, lifetime: 1.4)
        // T1 is issued at 0.5 and dies at 1.9; T5 at 2.75 and dies at 4.15.
        try at(0) { await app.launch() }
        try at(2) { await app.loadMain() }
        let main = ["posts", "posts", "posts/likes-2/me", "posts/hashtags"]
        expect(
            ["0.0 T0 GET auth/refresh"] + main.map { "2.0 T1 GET \($0)" }
                + Array(repeating: "2.25 T1 GET auth/refresh", count: 4)
                + main.map { "3.75 T5 GET \($0)" })
    }

    @Test("Scrolly.buy: the validation is refreshed and sent again, then the mark and the document")
    func buy() throws {
        let (app, episode) = (install(Scrolly.self, lifetime: 5), episode)
        app.screen.withLock { $0.paidEpisode = episode }
        #expect(try at(30) { await app.buyEpisode() } == .charged)
        expect([
            "30.0 T0 POST payments/validation", "30.25 T0 GET auth/refresh",
            "31.75 T1 POST payments/validation", "32.0 T1 POST posts/p1/like-2",
            "32.0 T1 GET uploads/a.pdf", "32.25 T1 GET posts/likes-2/me",
        ])
    }

    @Test("이책저책.profile: three calls, three refreshes, each sent again at once with its own token")
    func profile() throws {
        let app = install(ThisBookThatBook.self, lifetime: 5)
        // The three refreshes take 0.5, 0.6 and 0.7 seconds.
        server.seconds = { call, request in
            request.url.path.hasSuffix("/refresh") ? 0.2 + 0.1 * Double(call) : 0.25
        }
        try at(20) { await app.openProfile() }
        expect(
            ["20.0 T0 GET users/me/profile", "20.0 T0 GET posts", "20.0 T0 GET posts"]
                + Array(repeating: "20.25 T0 GET auth/refresh", count: 3)
                + [
                    "20.75 T1 GET users/me/profile", "20.85 T2 GET posts", "20.95 T3 GET posts",
                    // The portrait is asked for when the profile is there, with the newest token.
                    "21.0 T3 GET uploads/profiles/me.png",
                ])
    }

    @Test("이책저책.buy: after a refused validation the page stays, and paying again charges")
    func buyBook() throws {
        let app = install(ThisBookThatBook.self, lifetime: 1_000)
        server.serve("limit=10", Answers.page([Answers.post(1, price: 500)]))
        server.serve("/payments/validation", status: 500)
        try at(0) { await app.openFeed(tab: 0) }
        let first = try at(10) { await app.payForLockedPost() }
        try at(20) { await app.closePayment() }
        let second = try at(30) { await app.payAgain() }
        #expect(first == .missing("payment") && second == .chargedTwice)
        expect([
            "0.0 T0 GET posts", "10.0 T0 POST payments/validation", "20.0 T0 GET posts",
            "30.0 T0 POST payments/validation",
        ])
    }

    @Test("Share.D.likeBurst on a dead session: six calls for one tap, one after the other")
    func likeBurst() throws {
        let app = install(ShareD.self, lifetime: 6)
        server.refresh = .status(418)
        try at(0) { await app.openCommunity() }
        try at(2) { await app.openPost(row: 0) }
        try at(10) { await app.like(taps: 1) }
        expect([
            "0.0 T0 GET posts", "2.0 T0 GET posts/p0",
            // The author has no portrait, and an empty path is asked for all the same.
            "2.25 T0 GET ",
            "10.0 T0 POST posts/p0/like", "10.25 T0 GET auth/refresh", "10.75 T0 GET auth/refresh",
            "11.25 T0 GET posts/p0", "11.5 T0 GET auth/refresh", "12.0 T0 GET auth/refresh",
        ])
    }

    @Test("OOTD.scroll: a start signs in, and an expired feed waits for the Keychain's millisecond")
    func scroll() throws {
        let app = install(OOTD.self, lifetime: 5)
        server.goodTokens = ["L1"]
        server.serve("/login", #"{"token":"L1","refreshToken":"R"}"#)
        try at(0) { await app.signIn() }
        try at(20) { await app.openFeed() }
        expect([
            "0.0 - POST /login", "20.0 L1 GET /post", "20.25 L1 GET /refresh",
            "20.751 T1 GET /post",
        ])
    }
}
