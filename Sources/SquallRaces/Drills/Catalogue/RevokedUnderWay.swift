import SquallBackend

extension Drill {
    /// A refresh ends the token that a call under way carries.
    public static let revokedUnderWay = Drill(
        "revokedUnderWay", "a call in flight while its token is replaced",
        promise: "A call is retried with the new token if its token is replaced in flight.",
        source: "RFC 6749 §6; RFC 6750 §3.1",
        fix: """
            Compare the token of the rejected call with the current one. If they differ, retry \
            without another refresh.
            """,
        needs: [.refresh],
        setting: { setting in
            setting.tokens.refreshRevokesAccessTokens = true
            setting.strike(
                setting.calls,
                Fault.requestLate(by: .milliseconds(600)).onlyTurns(1...1)
                    .between(.seconds(60), and: .seconds(62)))
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: .seconds(60))
        let call = world.beginCall()
        await world.sleep(.milliseconds(10))
        try await world.finish(world.beginRefresh(), call)
        world.need(world.far.refreshes > 0, "the client did not refresh when asked to")
        world.need(world.refusals > 0, "the call was not rejected")
        world.expectSuccess([call], "the call succeeds")
    }.curing("again", "late", "lost")
}
