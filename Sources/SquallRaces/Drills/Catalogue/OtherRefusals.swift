import SquallBackend

extension Drill {
    /// A user may not see something, with a token that is good.
    public static let forbidden = Drill(
        "forbidden", "a 403 with a valid token",
        promise: "A 403 fails the call: it starts no refresh and signs no user out.",
        source: "RFC 9110 §15.5.4; RFC 6750 §3.1 insufficient_scope; relayhistory #112",
        fix: "Refresh only on the status that means an expired token. Return a 403 to the caller.",
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.failing(status: 403).between(.seconds(60), and: .seconds(70)))
        }
    ) { world in
        let isExpiry = world.setting.client.expiredStatus == 403
        world.need(!isExpiry, "this service uses 403 for an expired token")
        if isExpiry { return }
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.refreshesSent
        try await world.finish(world.beginCalls(2))
        world.expect(world.refreshesSent == before, "a 403 causes no refresh")
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.wait(until: .seconds(75))
        try await world.succeed("the next call succeeds")
    }.inOneOrder.curing("again", "late")

    /// A 401 asks for something else than a new token.
    public static let otherRefusal = Drill(
        "otherRefusal", "a 401 that is not about the token",
        promise: "A 401 for another reason ends the call after one retry and signs no user out.",
        source: "RFC 9470 §3 insufficient_user_authentication; bucketeer #2455",
        fix: """
            Read the error in WWW-Authenticate: only invalid_token is about the token. If a call \
            is rejected again after one refresh, fail it with the server's error.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["WWW-Authenticate"] =
                #"Bearer error="insufficient_user_authentication", acr_values="urn:mfa""#
            setting.strike(
                setting.calls,
                Fault.failing(status: 401).between(.seconds(60), and: .seconds(70)))
        }
    ) { world in
        try await world.expectRejectionEndsCalls()
        await world.wait(until: .seconds(75))
        try await world.succeed("the next call succeeds")
    }.inOneOrder.curing("endless")

    /// A cache answers with a refusal that it has kept, whatever the token.
    public static let cachedRefusal = Drill(
        "cachedRefusal", "a 401 from a cache",
        promise: "A 401 that a cache repeats ends the call and signs no user out.",
        source: "RFC 9111 §3.5, §5.1 Age",
        fix: """
            Retry a rejected call past caches (reloadIgnoringLocalCacheData, Cache-Control: \
            no-cache). If it is rejected again after one refresh, fail it with the server's error.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["Age"] = "30"
            setting.failureHeaders["Cache-Control"] = "public, max-age=60"
            setting.strike(
                setting.calls,
                Fault.failing(status: setting.client.expiredStatus)
                    .between(.seconds(60), and: .seconds(90)))
        }
    ) { world in
        try await world.expectRejectionEndsCalls()
        await world.wait(until: .seconds(95))
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder.curing("endless", "session")

    /// The token endpoint refuses with the status that makes calls refresh.
    public static let refreshUnauthorized = Drill(
        "refreshUnauthorized", "a 401 from the token endpoint",
        promise: "A 401 to a refresh does not start another refresh, and every call ends.",
        source: "RFC 6749 §5.2 invalid_client; vaadin-connect #335",
        fix: """
            Keep refreshes out of the code that handles expired calls: use a separate session, \
            client or interceptor chain.
            """,
        setting: { setting in
            let (stale, status) = (setting.stale, setting.client.expiredStatus)
            setting.strike(
                setting.refreshes,
                Fault.failing(status: status).between(stale, and: stale + .seconds(60)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let before = world.refreshesSent
        let calls = world.beginCalls(3)
        try await world.finish(calls)
        world.need(world.refreshesSent > before, "the client did not refresh")
        world.expect(world.refreshesSent - before <= 6, "three calls cause at most six refreshes")
        world.expect(
            calls.allSatisfy { $0.error != nil }, "a rejected call does not report success"
        )
        await world.wait(until: world.setting.stale + .seconds(70))
        try await world.signIn()
        try await world.succeed("a call succeeds after the user signs in again")
    }.inOneOrder.curing("endless", "hang")
}

extension DrillWorld {
    /// Two calls are rejected for a minute, whatever is refreshed: each ends and tells so.
    fileprivate func expectRejectionEndsCalls() async throws {
        try await signIn()
        await wait(until: .seconds(60))
        let before = refreshesSent
        let calls = beginCalls(2)
        try await finish(calls)
        expect(
            refreshesSent - before <= 2, "two such calls cause at most two refreshes")
        expect(
            calls.allSatisfy { $0.error != nil }, "a rejected call does not report success"
        )
        try await expectSignedIn(true, "the user is still signed in")
    }
}
