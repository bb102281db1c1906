import SquallBackend

extension Drill {
    /// The token endpoint is out of order for a moment.
    public static let refreshFailsOnce = Drill(
        "refreshFailsOnce", "a refresh that fails once",
        promise:
            "A refresh that fails for the moment signs nobody out, and the next call tries again.",
        source: "RFC 9110 §15.6.4; tidal-sdk-ios #259, TimeTac/js-client-library #285",
        cure: """
            Clear the refresh that is under way when it ends, however it ends. Sign out only on an \
            answer that says so (invalid_grant), never on a 5xx, a timeout or a cancellation.
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
        world.need(failed, "the client did not refresh while that failed")
        try await world.expectSignedIn(true, "the person is still signed in while refreshing fails")
        await world.wait(until: world.setting.stale + .seconds(60))
        try await world.succeed("calls succeed when refreshing works again", times: 3)
    }.curing("session")
}
