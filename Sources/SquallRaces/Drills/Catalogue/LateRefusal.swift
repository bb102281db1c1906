import SquallBackend

extension Drill {
    /// Two calls are refused, one of them long after the other has refreshed.
    public static let lateRefusal = Drill(
        "lateRefusal", "a refusal that comes late",
        promise: "A refusal of a token that was replaced meanwhile costs a repeat, not a refresh.",
        source: "RFC 6750 §3.1; RFC 9700 §4.14.2; home-assistant/iOS #1300",
        cure: """
            Remember with which token a call went out. When it is refused and you have another \
            one by now, send it again with that, and refresh only when it is still the same.
            """,
        setting: { setting in
            let late = Fault.answerLate(by: .milliseconds(600)).onlyTurns(2...2)
                .between(.seconds(60), and: .seconds(62))
            setting.strike(setting.calls, late)
        }
    ) { world in
        try await world.signIn()
        await world.wait(until: .seconds(60))
        world.revokeAccessTokens()
        try await world.finish(world.beginCalls(2))
        try await world.expectSignedIn(true, "a refused access token is not the end of the session")
        world.need(world.refusals > 1, "no call was refused after another one had refreshed")
        world.need(world.far.refreshes > 0, "the client does not refresh when a call is refused")
    }.curing("again", "late")
}
