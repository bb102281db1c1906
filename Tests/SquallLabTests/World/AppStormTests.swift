import SquallApps
import SquallReport
import Testing

@testable import SquallLab

@Suite("Storms of 이책저책, Share.D and OOTD")
struct AppStormTests {
    /// Tokens shorter than the pause between two steps, and servers of both years.
    static let expiring = #"{"generation": "both", "tokens": {"accessLifetime": "5s"}}"#
    /// Refresh tokens that outlive nothing but the first step.
    static let dead = #"""
        {"tokens": {"accessLifetime": "5s", "refreshLifetime": "1s"},
         "network": {"up": "20ms", "down": "20ms"}, "server": {"serviceTime": "5ms"}}
        """#

    @Test(
        "A step that begins on an expired token refreshes once for every call it makes at once",
        arguments: [
            ("thisBookThatBook", "browse", "feed", 1), ("thisBookThatBook", "browse", "post", 1),
            ("thisBookThatBook", "profile", "profile", 3),
            ("thisBookThatBook", "comment", "comment", 1), ("shareD", "browse", "home", 1),
            ("shareD", "comment", "post", 1), ("shareD", "comment", "comment", 1),
            ("shareD", "settings", "likedPosts", 1), ("shareD", "settings", "editProfile", 0),
            ("ootd", "scroll", "feed", 1),
        ])
    func refreshes(app: String, journey: String, step: String, expected: Int64) throws {
        let test = try TestWorld(
            app: app, journeys: #"{"\#(journey)": 1}"#, backend: Self.expiring,
            initialTokens: "expired")
        let refreshes = test.refreshes(each: step)
        #expect(refreshes.whole > 5)
        #expect(refreshes.part == expected * refreshes.whole)
    }

    @Test("Flung through a shop of fewer than a thousand products, Share.D ends itself every time")
    func shortShop() throws {
        let test = try TestWorld(
            app: "shareD", journeys: #"{"shopToEnd": 1}"#,
            backend: #"{"generation": "both", "catalogue": {"items": 100}}"#, users: 3)
        let flings = test.failed("shopToEnd")
        #expect(flings.whole >= 3 && flings.part == flings.whole)
        let rows = test.world.recorder.audits.rows(of: test.world.recorder.run.populations)
        #expect(rows.map(\.kind) == ["crashed.shop"])
    }

    @Test("With a dead refresh token 이책저책 asks once for each call and signs everybody out")
    func thisBookDeadRefresh() throws {
        let test = try TestWorld(
            app: "thisBookThatBook", journeys: #"{"scroll": 1}"#, backend: Self.dead,
            initialTokens: "expired")
        #expect(test.count(.sessionsLost) > 20)
        #expect(test.count(.steps, [.step: "signIn"]) > 20)
    }

    @Test(
        "Every journey can be walked on the backend alone, nothing hangs, and the books balance",
        arguments: ["thisBookThatBook", "shareD", "ootd"])
    func journeys(app: String) throws {
        let description = try #require(AppRegistry.app(named: app))
        let weights = description.journeys.map { "\"\($0.name)\": 1" }.joined(separator: ",")
        let text = """
            { "schemaVersion": 1, "duration": "4m", "populations": [{ "app": "\(app)",
              "users": 25, "thinkTime": "3s", "away": "10s", "journeys": {\(weights)} }],
              "backend": {"generation": "both", "catalogue": {"items": 2000}} }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let summary = try LoadRun(
            profile: profile, named: "test", options: LoadRun.Options(replayCommand: "")
        ).run { _ in .continue }.summary
        #expect(summary.selfChecks.allSatisfy { $0.ok })
        #expect(summary.steps.allSatisfy { $0.hung == 0 })
        // By offset nobody gets to the end of a shop of 2000: the app ends itself, or Naver's
        // limit comes.
        let endless = ["shopToEnd", "shopNewest", "shopByPrice"]
        for journey in description.journeys where !endless.contains(journey.name) {
            #expect(
                summary.steps.contains {
                    $0.journey == journey.name && $0.count > $0.failed
                }, "nobody got anywhere on \(journey.name)")
        }
    }
}
