import SquallReport
import Testing

@testable import SquallLab

@Suite("Scrolly's storms")
struct ScrollyStormTests {
    static let allJourneys = #"{"read": 1, "browse": 1, "resume": 1, "buy": 1, "comment": 1}"#
    /// Shorter than the pause between two steps, longer than a retry's delay.
    static let expiring = #"{"tokens": {"accessLifetime": "5s"}}"#

    /// Dead by the time a retry arrives; latencies are constant, so that siblings do not help.
    static let shortLived = #"""
        {"tokens": {"accessLifetime": "1s"}, "network": {"up": "20ms", "down": "20ms"},
         "server": {"serviceTime": "5ms"}}
        """#

    @Test(
        "A step that begins on an expired token refreshes once for every call it makes at once",
        arguments: [
            ("launch", 1), ("tab", 3), ("novel", 2), ("episode", 6), ("comment", 1),
            ("deleteComment", 0),
        ])
    func refreshesPerStep(step: String, expected: Int64) throws {
        let test = try TestWorld(
            journeys: Self.allJourneys, backend: Self.expiring, initialTokens: "expired")
        let refreshes = test.refreshes(each: step)
        #expect(refreshes.whole > 5)
        #expect(refreshes.part == expected * refreshes.whole)
    }

    @Test("Main refreshes four times where the token dies between Splash and it")
    func expiryBehindSplash() throws {
        let short = #"""
            {"tokens": {"accessLifetime": "1.8s"}, "network": {"up": "20ms", "down": "20ms"},
             "server": {"serviceTime": "5ms"}}
            """#
        let test = try TestWorld(journeys: #"{"read": 1}"#, backend: short)
        let refreshes = test.refreshes(each: "main")
        #expect(refreshes.whole > 20 && refreshes.part == 4 * refreshes.whole)
    }

    @Test("A user who returns to an open app meets an expiry with the next tap, and not before")
    func comingBack() throws {
        let test = try TestWorld(
            journeys: #"{"resume": 1}"#, backend: Self.expiring, initialTokens: "expired")
        let starts = test.count(.steps, [.step: "launch"])
        #expect(starts == 20 && test.count(.steps, [.step: "main"]) == starts)
        #expect(test.count(.journeys) > 3 * starts)
        #expect(test.refreshes(each: "main").whole == 0)
    }

    @Test("A user who returns to an app that the system has closed starts it")
    func reopening() throws {
        let test = try TestWorld(
            journeys: #"{"reopen": 1}"#, backend: Self.expiring, initialTokens: "expired")
        let starts = test.count(.steps, [.step: "launch"])
        #expect(starts > 60 && test.count(.refreshes, [.cause: "app"]) == starts)
    }

    @Test("A document answered 'expired' is never refreshed, every other call of the tap is")
    func documentsNeverRefresh() throws {
        let test = try TestWorld(
            journeys: #"{"resume": 1}"#, backend: Self.expiring, initialTokens: "expired")
        let episodes = test.refreshes(each: "episode").whole
        #expect(test.count(.expiredResponses, [.endpoint: "file"]) == episodes)
        #expect(test.count(.refreshes, [.cause: "file"]) == 0)
        #expect(test.count(.refreshes, [.cause: "like2"]) == episodes)
        // Covers are loaded on the token that the page before them was refreshed for.
        #expect(test.failed("episode") == Ratio(part: episodes, whole: episodes))
    }

    @Test("Tokens that live shorter than the retry's delay make every call hang after three sends")
    func hangs() throws {
        let test = try TestWorld(
            journeys: #"{"resume": 1}"#, backend: Self.shortLived,
            initialTokens: "expired")
        let hung = test.count(.hangs, [.step: "main"])
        #expect(hung > 20)
        #expect(test.count(.steps, [.step: "main"]) == 0)
        #expect(test.count(.requests, [.endpoint: "posts"]) == hung * 2 * 3)
        // Who gave up closes the app by force and starts it anew: Splash refreshes too.
        let starts = test.count(.steps, [.step: "launch"])
        #expect(starts >= hung && test.count(.refreshes) == hung * 4 * 3 + starts)
    }

    @Test("A hang names the user, the step, the request and who let go of its completion")
    func hangsAreNamed() throws {
        let test = try TestWorld(
            journeys: #"{"resume": 1}"#, backend: Self.shortLived,
            initialTokens: "expired")
        let hang = try #require(test.world.recorder.hangs.named.first)
        #expect(hang.step == "main" && hang.journey == "resume")
        #expect(hang.request.hasPrefix("/v1/posts"))
        #expect(hang.lostIn == "ScrollyRetryInterceptor.retry")
    }

    @Test("A dead refresh token costs every call one refresh, and every report one more by Splash")
    func deadRefreshToken() throws {
        let dead = #"""
            {"tokens": {"accessLifetime": "5s", "refreshLifetime": "1s"},
             "network": {"up": "20ms", "down": "20ms"}, "server": {"serviceTime": "5ms"}}
            """#
        let test = try TestWorld(
            journeys: #"{"resume": 1}"#, backend: dead, initialTokens: "expired")
        // The first Splash of each of the 20 still refreshes well; after that nothing does.
        let deadOnes = test.count(.refreshes) - 20
        // Two calls and two reports, whose Splash screens the step waits for.
        let novel = test.refreshes(each: "novel")
        #expect(novel.whole > 20 && novel.part == (2 + 2) * novel.whole)
        #expect(test.count(.requests, [.endpoint: "refresh", .status: "418"]) == deadOnes)
        #expect(test.count(.sessionsLost) > 20)
        #expect(test.count(.steps, [.step: "signIn"]) > 20)
    }
}
