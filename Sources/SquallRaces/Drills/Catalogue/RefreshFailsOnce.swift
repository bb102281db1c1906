import SquallBackend

extension Drill {
    /// The token endpoint is out of order for a moment.
    public static let refreshFailsOnce = Drill(
        "refreshFailsOnce", "a refresh that fails once",
        promise: """
            A temporary refresh failure signs no user out, and the next call refreshes again.
            """,
        source: "RFC 9110 §15.6.4; tidal-sdk-ios #259, TimeTac/js-client-library #285",
        fix: """
            Clear the refresh in flight when it ends, whatever its result. Sign out only when the \
            server says so (invalid_grant), never on a 5xx, a timeout or a cancellation.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.failing(status: 503).between(stale, and: stale + .seconds(20)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: world.setting.stale)
        try await world.finish(world.beginCalls(3))
        let failed = world.far.log.contains { $0.isRefresh && $0.meaning == .failure }
        world.need(failed, "the client did not refresh while refreshes failed")
        try await world.expectSignedIn(true, "the user is still signed in while refreshes fail")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshes work again", times: 3)
    }.curing("session")
}
