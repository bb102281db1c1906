import SquallBackend

extension Drill {
    /// Calls wait for a refresh that fails.
    public static let waitersOfFailure = Drill(
        "waitersOfFailure", "calls waiting for a refresh that fails",
        promise: "After a refresh fails, no waiting call is sent with the expired token.",
        source: "RFC 6750 §3.1; newsiberian/apollo-link-token-refresh #63",
        fix: """
            Pass the refresh error to every call that waits for it. Do not send a call without a \
            valid token.
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
                "no call is sent with the expired token after the refresh failed")
        }
        try await world.expectSignedIn(true, "the user is still signed in")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshes work again", times: 2)
    }

    /// The token endpoint is out of order, and the user waits for a screen.
    public static let refreshRetried = Drill(
        "refreshRetried", "a token endpoint that is down",
        promise: "A call ends within a minute although its refresh keeps failing.",
        source: "RFC 9110 §15.6.4; rinafcode/teachLink_mobile #926",
        fix: """
            Limit the total time of a refresh including its retries, because every call waits for \
            it. Exclude refreshes from the retry policy of calls.
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
        try await world.expectSignedIn(true, "the user is still signed in")
    }.inOneOrder
}
