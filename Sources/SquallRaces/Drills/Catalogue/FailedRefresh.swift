import SquallBackend

extension Drill {
    /// Calls wait for a refresh that fails.
    public static let waitersOfFailure = Drill(
        "waitersOfFailure", "calls that wait for a refresh that fails",
        promise: "When a refresh has failed, no waiting call goes out with the dead token.",
        source: "RFC 6750 §3.1; newsiberian/apollo-link-token-refresh #63",
        cure: """
            Hand the failure of a refresh to every call that waits for it. A call that has no good \
            token is not sent.
            """,
        setting: { setting in
            let stale = setting.stale
            let end = stale + .seconds(10)
            setting.strike(
                setting.refreshes, Fault.failing(status: 503).between(stale, and: end))
            setting.strike(
                setting.refreshes, Fault.answerLate(by: .seconds(2)).between(stale, and: end))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let early = world.beginCalls(3)
        await world.sleep(.seconds(1))
        let calls = early + [world.beginCall(3)]
        world.need(world.refreshesSent > 0, "no refresh was under way")
        try await world.finish(calls)
        if let failed = world.lastRefreshEnded {
            world.expect(
                world.deadTokensSent(since: failed) == 0,
                "nothing goes out with the expired token after the refresh has failed")
        }
        try await world.expectSignedIn(true, "the person is still signed in")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshing works again", times: 2)
    }

    /// The token endpoint is out of order, and the person waits for a screen.
    public static let refreshRetried = Drill(
        "refreshRetried", "a token endpoint that is out of order",
        promise: "A call whose refresh keeps failing ends within a minute.",
        source: "RFC 9110 §15.6.4; rinafcode/teachLink_mobile #926",
        cure: """
            Bound the time that a refresh may take with all its retries, because everybody waits \
            for it. Send it past the retries that are meant for calls.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.failing(status: 503).between(stale, and: stale + .seconds(3_600)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        let begin = world.now
        let before = world.refreshesSent
        try await world.finish(world.beginCalls(2))
        world.need(world.refreshesSent > before, "the client did not refresh")
        world.expect(world.now - begin <= .seconds(60), "two calls end within a minute")
        try await world.expectSignedIn(true, "the person is still signed in")
    }.inOneOrder
}
