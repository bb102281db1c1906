import SquallBackend

extension Drill {
    /// Only the token endpoint is out of order for an hour; it names a moment to come back.
    public static let retryAfter = Drill(
        "retryAfter", "a refresh that is told to wait",
        promise: "A refresh that was answered 429 with Retry-After is not sent again before that.",
        source: "RFC 6585 §4; RFC 9110 §10.2.3",
        cure: """
            Read Retry-After where a refresh is refused with 429 or 503, and keep the moment \
            beside the tokens. Until then fail calls that would have to refresh.
            """,
        needs: [.failureHeaders],
        setting: { setting in
            setting.failureHeaders["Retry-After"] = "30"
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.outage(status: 429, from: stale, for: .seconds(29)))
        }
    ) { world in
        try await world.signIn()
        let stale = world.setting.stale
        await world.wait(until: stale)
        try await world.finish(world.beginCalls(2))
        let told = world.refreshesSent(from: stale, until: stale + .seconds(1))
        world.need(told > 0, "the client did not refresh")
        await world.wait(until: stale + .seconds(10))
        try await world.finish(world.beginCalls(2))
        await world.wait(until: stale + .seconds(28))
        world.expect(
            world.refreshesSent(from: stale + .seconds(1), until: stale + .seconds(28)) == 0,
            "nothing is refreshed before the moment that the server has named")
        await world.wait(until: stale + .seconds(60))
        try await world.succeed("a call after that moment succeeds")
        try await world.expectSignedIn(true, "the person is still signed in")
    }
}
