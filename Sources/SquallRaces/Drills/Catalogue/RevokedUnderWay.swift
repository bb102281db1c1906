import SquallBackend

extension Drill {
    /// A refresh ends the token that a call under way carries.
    public static let revokedUnderWay = Drill(
        "revokedUnderWay", "a call under way while its token is replaced",
        promise: "A call whose token was replaced under it is sent again with the new one.",
        source: "RFC 6749 §6; RFC 6750 §3.1",
        cure: """
            Compare the token that a refused call carried with the one you have now. Send it again \
            when they differ, without another refresh.
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
        world.need(world.far.refreshes > 0, "the client did not refresh when it was told to")
        world.need(world.refusals > 0, "the call was not refused")
        world.expectSuccess([call], "the call succeeds")
    }.curing("again", "late", "lost")
}
