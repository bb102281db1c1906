import SquallBackend

extension Drill {
    /// Tokens live a minute, which is less than many clients refresh ahead of time.
    public static let shortLived = Drill(
        "shortLived", "a token that lives a minute",
        promise: "Calls on a good token cost one refresh at most, however short it lives.",
        source: "RFC 6749 §5.1 expires_in; one-covenant/basilica #554, nuclia/frontend #2771",
        cure: """
            Refresh ahead of time by a share of the lifetime that came with the token, not by a \
            fixed span: a span longer than the lifetime makes every token one that is due.
            """,
        setting: { $0.tokens.accessLifetimeNanoseconds = 60_000_000_000 }
    ) { world in
        try await world.signIn()
        for _ in 1...5 {
            world.expectSuccess([try await world.call()], "a call on a good token succeeds")
            await world.sleep(.seconds(1))
        }
        world.expect(
            world.refreshesSent <= 1, "five calls on a good token cost one refresh at most")
    }.inOneOrder.curing("late", "again")
}
