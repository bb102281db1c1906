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
        needs: [.retryAfter],
        setting: { setting in
            setting.failureHeaders["Retry-After"] = "30"
            let stale = setting.stale
            setting.strike(
                setting.refreshes,
                Fault.outage(status: 429, from: stale, for: .seconds(29)))
        }
    ) { room in
        try await room.signIn()
        let stale = room.setting.stale
        await room.wait(until: stale)
        try await room.finish(room.beginCalls(2))
        let told = room.refreshesSent(from: stale, until: stale + .seconds(1))
        room.need(told > 0, "the client did not refresh")
        await room.wait(until: stale + .seconds(10))
        try await room.finish(room.beginCalls(2))
        await room.wait(until: stale + .seconds(28))
        room.expect(
            room.refreshesSent(from: stale + .seconds(1), until: stale + .seconds(28)) == 0,
            "nothing is refreshed before the moment that the server has named")
        await room.wait(until: stale + .seconds(60))
        room.expectSuccess([try await room.call()], "a call after that moment succeeds")
        try await room.expectSignedIn(true, "the person is still signed in")
    }
}
