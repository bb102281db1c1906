import SquallBackend

extension Drill {
    /// Nothing works for an hour, and then everything does.
    public static let outage = Drill(
        "outage", "a one-hour outage, then recovery",
        promise: """
            Calls end during an outage, the user stays signed in, and calls succeed after it.
            """,
        source: "RFC 9110 §15.6.4; forgerock-ios-sdk #362, amplify-ui-swift-authenticator #103",
        fix: """
            If a refresh fails with a 5xx or without a response, fail only the calls that wait for \
            it. Clear the refresh in flight so that the next call tries again.
            """,
        setting: { setting in
            let stale = setting.stale
            setting.strike(
                setting.refreshes.union(setting.calls),
                Fault.outage(from: stale, for: .seconds(3_600)))
        }
    ) { world in
        try await world.signIn()
        let stale = world.setting.stale
        await world.wait(until: stale)
        try await world.finish(world.beginCalls(2))
        await world.wait(until: stale + .seconds(1_800))
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "the user is still signed in during the outage")
        await world.wait(until: stale + .seconds(3_660))
        try await world.succeed("calls succeed when the outage is over", times: 2)
        try await world.expectSignedIn(true, "the user is still signed in after the outage")
    }.curing("session")
}
