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
    ) { room in
        try await room.signIn()
        await room.wait(until: .seconds(60))
        room.revokeAccessTokens()
        try await room.finish(room.beginCalls(2))
        try await room.expectSignedIn(true, "a refused access token is not the end of the session")
        room.need(room.refusals > 1, "no call was refused after another one had refreshed")
        room.need(room.far.refreshes > 0, "the client does not refresh when a call is refused")
    }
}
