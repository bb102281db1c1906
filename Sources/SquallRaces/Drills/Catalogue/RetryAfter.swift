import SquallBackend

extension Drill {
    /// Only the token endpoint is out of order for an hour; it names a moment to come back.
    public static let retryAfter = Drill(
        "retryAfter", "a refresh answered with Retry-After",
        promise: "After a 429 with Retry-After, no refresh is sent before that time.",
        source: "RFC 6585 §4; RFC 9110 §10.2.3",
        fix: """
            Read Retry-After from a 429 or 503 response to a refresh and store the time with the \
            tokens. Until then, fail calls that need a refresh.
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
            "no refresh is sent before the time in Retry-After")
        await world.wait(until: stale + .seconds(60))
        try await world.succeed("a call after that time succeeds")
        try await world.expectSignedIn(true, "the user is still signed in")
    }
}
