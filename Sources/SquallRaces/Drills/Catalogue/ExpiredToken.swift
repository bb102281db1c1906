extension Drill {
    /// Some calls at once, all with an access token that has expired.
    public static let expiredToken = Drill(
        "expiredToken", "calls with an expired token",
        promise: """
            An expired token is refreshed once, however many calls use it, and every call \
            succeeds.
            """,
        source: "RFC 6749 §6; RFC 9700 §4.14.2; logto-io/swift #60, firebase-ios-sdk #15474",
        fix: """
            Keep the refresh that is in flight and let every call that needs one wait for it. \
            Before a refresh starts, check that the rejected token is still the current one.
            """
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        try await world.succeed("each of the calls succeeds", times: DrillWorld.manyCalls)
        try await world.expectSignedIn(true, "the user is still signed in")
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.curing("again", "late")
}
