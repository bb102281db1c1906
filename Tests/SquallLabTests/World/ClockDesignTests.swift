import SquallReport
import Testing

@testable import SquallLab

@Suite("Declared designs that look at the clock")
struct ClockDesignTests {
    /// One user with a token of six seconds, whose screens make so many calls at once.
    private struct World {
        var tokens = "{}"
        var design = "asBuilt"
        var calls = 2
        var life = "6s"
        var more = ""
        var delivery = ""

        func summary() throws -> RunSummary {
            let text = """
                { "schemaVersion": 1, "duration": "40s",
                  "populations": [{ "app": "mine", "users": 1, "journeys": { "read": 1 },
                    "design": "\(design)", "thinkTime": { "constant": "1s" },
                    "away": { "constant": "1s" }, "initialTokens": "fresh" }],
                  "apps": [{ "name": "mine", "tokens": \(tokens),
                    "screens": [{ "name": "home",
                      "calls": [[{ "endpoint": "posts", "times": \(calls) }]] }],
                    "journeys": [{ "name": "read", "steps": ["home", "home", "home"] }] }],
                  "backend": { "tokens": { "accessLifetime": "\(life)" },
                    "network": { "up": "40ms", "down": "40ms" }, \(more)
                    "server": { "workers": 16, "serviceTime": { "constant": "5ms" } },
                    "service": { "form": "bearer", \(delivery)
                      "endpoints": [{ "name": "posts", "path": "/posts" }] } } }
                """
            let profile = try Profile.read(
                Array(text.utf8), file: "clock", vocabulary: .installed)
            return try LoadRun(
                profile: profile, named: "clock", options: .init(replayCommand: "")
            ).run { _ in .continue }.summary
        }

        func counts() throws -> RefreshView.Counts {
            try #require(try summary().refreshes).counts
        }
    }

    private static let naive = #"{ "notices": ["clock"], "ahead": "0s", "singleFlight": false }"#

    @Test("The end of a token that its client renews is an expiry", arguments: [1, 2, 8])
    func expiries(calls: Int) throws {
        let counts = try World(tokens: Self.naive, calls: calls).counts()
        #expect(counts.expiries >= 4)
        #expect(counts.promptedRefreshes == counts.expiries * Int64(calls))
        #expect(counts.redundantRefreshes == counts.expiries * Int64(calls - 1))
        #expect(counts.unpromptedRefreshes == 0)
    }

    @Test("A call that waited looks at the new token, which may be no good either")
    func waiters() throws {
        let locked = #"{ "notices": ["clock"], "ahead": "10s" }"#
        let screens = try World(tokens: locked, calls: 3).counts()
        #expect(screens.expiries > 5)
        #expect(screens.promptedRefreshes == 3 * screens.expiries)
        let sharing = #"""
            { "notices": ["clock"], "ahead": "10s", "waitersAfterSuccess": "takeResult" }
            """#
        let shared = try World(tokens: sharing, calls: 3).counts()
        #expect(shared.promptedRefreshes == shared.expiries)
    }

    @Test("A call whose refresh by the clock fails is not sent, except in advance")
    func failures() throws {
        let outage = #""faults": [{ "kind": "tokenOutage", "at": "5s" }],"#
        let failing = try World(tokens: Self.naive, more: outage).summary()
        #expect(failing.count(.expiredResponses) == 0)
        #expect(failing.steps.contains { $0.failed > 5 })
        let early = #"{ "notices": ["clock"], "ahead": "0s", "advisory": "5s" }"#
        let advised = try World(tokens: early, life: "30s", more: outage).summary()
        let until30 = try #require(advised.steps.first { $0.step == "home" })
        #expect(until30.count - until30.failed > 20 && advised.count(.refreshes) > 3)
    }

    @Test(
        "A refresh is tried again as the row of its failure says",
        arguments: [
            (#"[]"#, 1), (#"[{ "on": ["503"], "attempts": 3, "waits": ["1ms"] }]"#, 3),
            (#"[{ "on": ["4xx"], "attempts": 3 }]"#, 1),
            (#"[{ "on": ["lost", "5xx"], "attempts": 2 }]"#, 2),
        ])
    func retries(rows: String, tries: Int) throws {
        let outage = #""faults": [{ "kind": "tokenOutage", "at": "0s" }],"#
        let tokens = """
            { "notices": ["clock"], "ahead": "0s", "heedsRetryAfter": false,
              "refreshRetries": \(rows) }
            """
        let summary = try World(tokens: tokens, calls: 1, more: outage).summary()
        let failed = summary.steps.reduce(0) { $0 + $1.failed }
        #expect(failed > 5 && summary.count(.refreshes) == failed * Int64(tries))
    }

    @Test("After a refresh that failed each waiter tries itself, or none does")
    func waitersOfFailure() throws {
        let outage = #""faults": [{ "kind": "tokenOutage", "at": "0s" }],"#
        func refreshes(_ waiting: String) throws -> Int64 {
            let tokens = """
                { "notices": ["clock"], "ahead": "0s", "heedsRetryAfter": false,
                  "waitersAfterFailure": "\(waiting)" }
                """
            let summary = try World(tokens: tokens, calls: 4, more: outage).summary()
            let failed = summary.steps.reduce(0) { $0 + $1.failed }
            return summary.count(.refreshes) / max(1, failed)
        }
        #expect(try refreshes("takeResult") == 1)
        #expect(try refreshes("lookAgain") == 4)
    }

    @Test("After a refresh that failed none is sent for as long as the row of its failure says")
    func hold() throws {
        let outage = #""faults": [{ "kind": "tokenOutage", "at": "0s" }],"#
        func refreshes(_ hold: String) throws -> Int64 {
            let tokens = """
                { "notices": ["clock"], "ahead": "0s", "heedsRetryAfter": false,
                  "refreshRetries": [{ "on": ["5xx"], "attempts": 1, "hold": "\(hold)" }] }
                """
            return try World(tokens: tokens, calls: 1, more: outage).summary().count(.refreshes)
        }
        #expect(try refreshes("0s") > 10)
        #expect((3...5).contains(try refreshes("10s")))
    }

    @Test("A refused token that is dropped is refreshed by the first call that comes again")
    func dropped() throws {
        func counts(_ rest: String, more: String = "") throws -> RunSummary {
            let tokens = """
                { "notices": ["clock", "status"], "ahead": "0s", "late": "1h",
                  "singleFlight": false, "refreshesLate": true, \(rest) }
                """
            return try World(tokens: tokens, calls: 8, more: more).summary()
        }
        let apart = try counts(#""dropsRefused": true, "resendJitter": "5s""#)
        let ends = try #require(apart.refreshes).counts.expiries
        #expect(ends >= 3 && apart.count(.refreshes) <= ends * 3)
        let together = try counts(#""dropsRefused": true"#)
        let eight = try #require(together.refreshes).counts.expiries * 8
        #expect(together.count(.refreshes) == eight)
        // A call knows that the token is gone, and is not sent with it again.
        let outage = #""faults": [{ "kind": "tokenOutage", "at": "0s" }],"#
        #expect(try counts(#""dropsRefused": true"#, more: outage).count(.expiredResponses) == 8)
        #expect(try counts(#""dropsRefused": false"#, more: outage).count(.expiredResponses) > 80)
    }

    @Test("A window that is drawn for each token is shorter, and not always the same")
    func jitter() throws {
        func refreshes(_ jitter: String) throws -> Int64 {
            let tokens = #"{ "notices": ["clock"], "ahead": "30s", "aheadJitter": "\#(jitter)" }"#
            return try World(tokens: tokens, calls: 1, life: "31s").summary().count(.refreshes)
        }
        #expect(try refreshes("0s") > 10)
        #expect((1...9).contains(try refreshes("30s")))
    }

    @Test("A refresh token that has failed is not shown again where a sign-in follows")
    func spent() throws {
        let outage = #""faults": [{ "kind": "tokenOutage", "at": "0s" }],"#
        let both = #"{ "notices": ["clock"], "ahead": "0s", "renewal": "refreshTokenThenSignIn" }"#
        let summary = try World(tokens: both, calls: 1, more: outage).summary()
        let refreshes = summary.endpoints.first { $0.endpoint == "refresh" }
        #expect(refreshes?.durationNanoseconds.count == 1)
    }

    @Test("A renewal by sign-in is counted as a refresh, and repairs the session")
    func renewal() throws {
        let again = #"{ "notices": ["clock"], "ahead": "0s", "renewal": "signIn" }"#
        let counts = try World(tokens: again).counts()
        #expect(counts.expiries >= 4 && counts.promptedRefreshes == counts.expiries)
        let dead = #""faults": [{ "kind": "revokeRefreshTokens", "at": "3s" }],"#
        let both = """
            { "notices": ["clock"], "ahead": "0s", "renewal": "refreshTokenThenSignIn" }
            """
        let kept = try World(tokens: both, more: dead).summary()
        #expect(kept.count(.sessionsLost) == 0 && kept.steps.allSatisfy { $0.failed == 0 })
    }

    @Test("A response without expires_in means no end, an end at once, or a failed call")
    func missingLifetime() throws {
        func summary(_ meaning: String) throws -> RunSummary {
            var world = World(calls: 1, life: "6s")
            world.tokens = """
                { "notices": ["clock"], "ahead": "0s", "missingLifetime": "\(meaning)" }
                """
            world.delivery = #""delivery": { "json": {} },"#
            return try world.summary()
        }
        // Without an end the second expiry is met as a refusal, which a clock does not notice.
        #expect(try summary("noEnd").count(.refreshes) == 1)
        let ended = try summary("ended")
        #expect(ended.count(.refreshes) > 15 && ended.count(.expiredResponses) == 0)
        let failing = try summary("fails")
        #expect(failing.count(.refreshes) > 15)
        #expect(failing.steps.allSatisfy { $0.failed > 15 })
    }

    @Test("What the wire shows is one number, whichever code sends it", arguments: 1...3)
    func sameWire(seed: Int) throws {
        let counts = try ["asBuilt", "recursiveRefresh"].map { design in
            let text = """
                { "schemaVersion": 1, "seed": \(seed), "duration": "3m",
                  "populations": [{ "app": "thisBookThatBook", "design": "\(design)", "users": 1,
                    "journeys": { "profile": 1 }, "thinkTime": { "constant": "2s" },
                    "away": { "constant": "2s" }, "initialTokens": "expired" }],
                  "backend": { "tokens": { "accessLifetime": "1s" },
                    "network": { "up": "673ms", "down": "669ms" },
                    "server": { "workers": 8, "serviceTime": { "constant": "5ms" } } } }
                """
            let profile = try Profile.read(
                Array(text.utf8), file: "books", vocabulary: .installed)
            let summary = try LoadRun(
                profile: profile, named: "books", options: .init(replayCommand: "")
            ).run { _ in .continue }.summary
            let counts = try #require(summary.refreshes).counts
            #expect(counts.expiries > 50)
            return [
                counts.expiries, counts.promptedRefreshes, counts.redundantRefreshes,
                counts.unpromptedRefreshes,
            ]
        }
        #expect(counts[0] == counts[1])
    }
}

extension RunSummary {
    fileprivate func count(_ metric: Metric) -> Int64 {
        if case .counter(let count)? = total(of: metric)?.values { count.count } else { 0 }
    }
}
