extension Drill {
    /// The token that a refresh has brought expires too, and the next one.
    public static let nextExpiries = Drill(
        "nextExpiries", "the second and third expiry",
        promise: """
            Every expiry is refreshed once, with the refresh token from the previous refresh.
            """,
        source: "RFC 6749 §6; RFC 9700 §4.14.2; p2/OAuth2 #75",
        fix: """
            Replace the refresh token with the one in the response. Clear every trace of a \
            completed refresh, such as a flag.
            """
    ) { world in
        try await world.signIn()
        for number in 1...3 {
            await world.tokenExpires()
            try await world.succeed("calls with expired token \(number) succeed", times: 2)
            world.need(world.far.refreshes > 0, "the client never refreshed")
        }
        try await world.expectSignedIn(true, "the user is still signed in")
    }.curing("again")

    /// Refreshes answer without a refresh token: the old one is still good.
    public static let noNewRefreshToken = Drill(
        "noNewRefreshToken", "refresh responses without a refresh token",
        promise: "A refresh response without a refresh token leaves the current one in place.",
        source: "RFC 6749 §6; forgerock-ios-sdk #59, okta-mobile-swift #49",
        fix: """
            Decode the refresh token as optional and keep the current one when it is missing. \
            Never store an empty token.
            """,
        needs: [.omission], servers: [.lenient]
    ) { world in
        try await world.signIn()
        for _ in 1...2 {
            await world.tokenExpires()
            try await world.succeed("a call with an expired token succeeds")
        }
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }
}
