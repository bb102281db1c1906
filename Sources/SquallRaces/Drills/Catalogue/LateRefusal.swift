import SquallBackend

extension Drill {
    /// Two calls are refused, one of them long after the other has refreshed.
    public static let lateRefusal = Drill(
        "lateRefusal", "a rejection that arrives late",
        promise: """
            A late rejection of a token that was already replaced causes a retry, not a refresh.
            """,
        source: "RFC 6750 §3.1; RFC 9700 §4.14.2; home-assistant/iOS #1300",
        fix: """
            Remember which token each call was sent with. If the call is rejected and the current \
            token is a different one, retry with it; refresh only if it is the same.
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
        try await world.expectSignedIn(true, "the user is still signed in after a rejection")
        world.need(world.refusals > 1, "no call was rejected after another call had refreshed")
        world.need(world.far.refreshes > 0, "the client does not refresh when a call is rejected")
    }.curing("again", "late")
}
