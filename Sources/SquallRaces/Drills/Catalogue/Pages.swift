extension Drill {
    /// The token expires between two pages of a list.
    public static let pages = Drill(
        "pages", "a list across a refresh",
        promise: "A list shows each item once although its token expires between two pages.",
        source: "RFC 9110 §9.2.1; box-office #13, mastodon-android #435",
        fix: """
            Continue after the page that was requested last, not after the response that arrived \
            last. Retry the page that was rejected and no other.
            """,
        needs: [.list]
    ) { world in
        try await world.signIn()
        let whole = try await world.list()
        for delay in [60, 120, 200] {
            // An expiry that the list before did not meet would be a second one for a call of this.
            try await world.call()
            let shown = try await world.list {
                await world.sleep(.milliseconds(delay))
                world.revokeAccessTokens()
            }
            world.expect(shown == whole, "the list shows each item once, in order")
        }
        world.need(world.far.refreshes > 0, "the client never refreshed")
        await world.tokenExpires()
        let again = try await world.list()
        world.expect(again == whole, "a list with an expired token shows each item once, in order")
    }
}
