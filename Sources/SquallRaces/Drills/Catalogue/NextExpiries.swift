extension Drill {
    /// The token that a refresh has brought expires too, and the next one.
    public static let nextExpiries = Drill(
        "nextExpiries", "the second and third expiry",
        promise:
            "Every expiry is refreshed once, by the refresh token that the one before brought.",
        source: "RFC 6749 §6; RFC 9700 §4.14.2; p2/OAuth2 #75",
        cure: """
            Keep the refresh token that comes with an answer in place of the one you had. Make \
            sure that nothing is left behind of a refresh that is over, such as a flag.
            """
    ) { world in
        try await world.signIn()
        for number in 1...3 {
            await world.tokenExpires()
            try await world.succeed("calls on expired token number \(number) succeed", times: 2)
            world.need(world.far.refreshes > 0, "the client never refreshed")
        }
        try await world.expectSignedIn(true, "the person is still signed in")
    }.curing("again")

    /// Refreshes answer without a refresh token: the old one is still good.
    public static let noNewRefreshToken = Drill(
        "noNewRefreshToken", "answers without a new refresh token",
        promise: "A refresh that brings no refresh token leaves the old one in its place.",
        source: "RFC 6749 §6; forgerock-ios-sdk #59, okta-mobile-swift #49",
        cure: """
            Decode the refresh token as one that may be missing, and keep yours where it is. Never \
            store an empty one.
            """,
        needs: [.omission], servers: [.lenient]
    ) { world in
        try await world.signIn()
        for _ in 1...2 {
            await world.tokenExpires()
            try await world.succeed("a call on an expired token succeeds")
        }
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }
}
