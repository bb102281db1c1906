import SquallBackend

extension Drill {
    /// The app is not used for a day.
    public static let dayAway = Drill(
        "dayAway", "a day in the background",
        promise: """
            After a day in the background, the first screen refreshes once and every call \
            succeeds.
            """,
        source: "RFC 9700 §4.14.2; tuist #10276, firebase-ios-sdk #15474",
        fix: """
            Let everything that starts with the app get its token from one place, which refreshes \
            once, whichever caller comes first.
            """
    ) { world in
        try await world.signIn()
        await world.away(for: .seconds(86_400))
        try await world.succeed("each of the calls succeeds", times: DrillWorld.manyCalls)
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.expectSignedIn(true, "the user is still signed in")
    }

    /// The app is not used until the refresh token has expired too.
    public static let monthAway = Drill(
        "monthAway", "away until the refresh token expires",
        promise: """
            When the refresh token has expired, every call ends and the user can sign in again.
            """,
        source: "RFC 6749 §5.2 invalid_grant; RFC 9700 §4.14.2",
        fix: """
            Treat a rejected refresh as the end of the session and delete its tokens. Show the \
            sign-in screen once, not once for each call.
            """,
        setting: { $0.tokens.refreshLifetimeNanoseconds = 14 * 86_400_000_000_000 }
    ) { world in
        try await world.signIn()
        await world.away(for: .seconds(15 * 86_400))
        try await world.finish(world.beginCalls(3))
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.expectSignedIn(false, "the user is shown as signed out")
        try await world.signIn()
        try await world.succeed("a call succeeds after the user signs in again")
    }
}
