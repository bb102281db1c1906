import SquallBackend

extension Drill {
    /// Tokens live a minute, which is less than many clients refresh ahead of time.
    public static let shortLived = Drill(
        "shortLived", "a token that lives one minute",
        promise: "Calls with a valid token cause at most one refresh, however short its lifetime.",
        source: "RFC 6749 §5.1 expires_in; one-covenant/basilica #554, nuclia/frontend #2771",
        fix: """
            Refresh ahead of expiry by a share of the lifetime in the response, not by a fixed \
            time: if that time exceeds the lifetime, every token is due at once.
            """,
        setting: { $0.tokens.accessLifetimeNanoseconds = 60_000_000_000 }
    ) { world in
        try await world.signIn()
        for _ in 1...5 {
            world.expectSuccess([try await world.call()], "a call on a good token succeeds")
            await world.sleep(.seconds(1))
        }
        world.expect(
            world.refreshesSent <= 1, "five calls with a valid token cause at most one refresh")
    }.inOneOrder.curing("late", "again")
}
