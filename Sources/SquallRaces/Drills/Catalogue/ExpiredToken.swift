extension Drill {
    /// Some calls at once, all with an access token that has expired.
    public static let expiredToken = Drill(
        "expiredToken", "calls on an expired token",
        promise: "However many calls meet an expired token, it is refreshed once, and all succeed.",
        source: "RFC 6749 §6; RFC 9700 §4.14.2; logto-io/swift #60, firebase-ios-sdk #15474",
        cure: """
            Keep the refresh that is under way, and let every call that needs one wait for it. \
            Before starting one, look whether the token that was refused is still the one you have.
            """
    ) { world in
        try await world.signIn()
        await world.tokenExpires()
        try await world.succeed("each of the calls succeeds", times: DrillWorld.manyCalls)
        try await world.expectSignedIn(true, "the person is still signed in")
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.curing("again", "late")
}
