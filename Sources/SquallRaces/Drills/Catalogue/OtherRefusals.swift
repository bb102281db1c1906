import SquallBackend

extension Drill {
    /// A person may not see something, with a token that is good.
    public static let forbidden = Drill(
        "forbidden", "a 403 on a good token",
        promise: "A call that is forbidden is refused: nothing is refreshed, nobody signed out.",
        source: "RFC 9110 §15.5.4; RFC 6750 §3.1 insufficient_scope; relayhistory #112",
        cure: """
            Refresh on the status that says that a token has expired, and on no other. A 403 is an \
            answer: hand it to whoever asked.
            """,
        setting: { setting in
            setting.strike(
                setting.calls,
                Fault.failing(status: 403).between(.seconds(60), and: .seconds(70)))
        }
    ) { world in
        let isExpiry = world.setting.ground.expiredStatus == 403
        world.need(!isExpiry, "with this service 403 says that a token has expired")
        if isExpiry { return }
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.refreshesSent
        try await world.finish(world.beginCalls(2))
        world.expect(world.refreshesSent == before, "nothing is refreshed for a 403")
        try await world.expectSignedIn(true, "the person is still signed in")
        await world.wait(until: .seconds(75))
        try await world.succeed("the next call succeeds")
    }.inOneOrder.curing("again", "late")

    /// A 401 asks for something else than a new token.
    public static let otherRefusal = Drill(
        "otherRefusal", "a 401 that is not about the token",
        promise: "A 401 for another reason ends the call after one repeat, and signs nobody out.",
        source: "RFC 9470 §3 insufficient_user_authentication; bucketeer #2455",
        cure: """
            Read the error of WWW-Authenticate: only invalid_token is about the token. Refused \
            again after one refresh, a call fails with what the server said.
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
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.refreshesSent
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.expect(
            world.refreshesSent - before <= 2, "two such calls cost two refreshes at most")
        world.expect(
            calls.allSatisfy { $0.error != nil }, "a call that was refused is not told as a success"
        )
        try await world.expectSignedIn(true, "the person is still signed in")
        await world.wait(until: .seconds(75))
        try await world.succeed("the next call succeeds")
    }.inOneOrder.curing("endless")

    /// A cache answers with a refusal that it has kept, whatever the token.
    public static let cachedRefusal = Drill(
        "cachedRefusal", "a 401 from a cache",
        promise: "A 401 that a cache repeats ends the call, and signs nobody out.",
        source: "RFC 9111 §3.5, §5.1 Age",
        cure: """
            Repeat a refused call past caches (reloadIgnoringLocalCacheData, Cache-Control: \
            no-cache). Refused again after one refresh, it fails with what the server said.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["Age"] = "30"
            setting.failureHeaders["Cache-Control"] = "public, max-age=60"
            setting.strike(
                setting.calls,
                Fault.failing(status: setting.ground.expiredStatus)
                    .between(.seconds(60), and: .seconds(90)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let before = world.refreshesSent
        let calls = world.beginCalls(2)
        try await world.finish(calls)
        world.expect(
            world.refreshesSent - before <= 2, "two such calls cost two refreshes at most")
        world.expect(
            calls.allSatisfy { $0.error != nil }, "a call that was refused is not told as a success"
        )
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.wait(until: .seconds(95))
        try await world.succeed("the next calls succeed", times: 2)
    }.inOneOrder.curing("endless", "session")

    /// The token endpoint refuses with the status that makes calls refresh.
    public static let refreshUnauthorized = Drill(
        "refreshUnauthorized", "a 401 from the token endpoint",
        promise: "A refresh that is answered 401 is not refreshed itself, and every call ends.",
        source: "RFC 6749 §5.2 invalid_client; vaadin-connect #335",
        cure: """
            Send refreshes past what handles expired calls: through a session, a client or an \
            interceptor chain of their own.
            """,
        setting: { setting in
            let (stale, status) = (setting.stale, setting.ground.expiredStatus)
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
        world.expect(world.refreshesSent - before <= 6, "three calls cost six refreshes at most")
        world.expect(
            calls.allSatisfy { $0.error != nil }, "a call that was refused is not told as a success"
        )
        await world.wait(until: world.setting.stale + .seconds(70))
        try await world.signIn()
        try await world.succeed("a call succeeds after the person has signed in again")
    }.inOneOrder.curing("endless", "hang")
}
