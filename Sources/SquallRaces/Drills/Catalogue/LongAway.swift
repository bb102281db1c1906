import SquallBackend

extension Drill {
    /// The app is not used for a day.
    public static let dayAway = Drill(
        "dayAway", "a day away",
        promise: "After a day the first screen refreshes once, and shows what was asked for.",
        source: "RFC 9700 §4.14.2; tuist #10276, firebase-ios-sdk #15474",
        cure: """
            Let everything that starts with the app ask the same place for a token. That place \
            refreshes once, whoever comes first.
            """
    ) { world in
        try await world.signIn()
        await world.away(for: .seconds(86_400))
        try await world.succeed("each of the calls succeeds", times: DrillWorld.manyCalls)
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.expectSignedIn(true, "the person is still signed in")
    }

    /// The app is not used until the refresh token has expired too.
    public static let monthAway = Drill(
        "monthAway", "away until the refresh token is over",
        promise: "When the refresh token has expired every call ends and signing in works again.",
        source: "RFC 6749 §5.2 invalid_grant; RFC 9700 §4.14.2",
        cure: """
            Take the refusal of a refresh for the end of the session, and forget its tokens. Show \
            the sign-in screen once, not once for each call.
            """,
        setting: { $0.tokens.refreshLifetimeNanoseconds = 14 * 86_400_000_000_000 }
    ) { world in
        try await world.signIn()
        await world.away(for: .seconds(15 * 86_400))
        try await world.finish(world.beginCalls(3))
        world.need(world.far.refreshes > 0, "the client never refreshed")
        try await world.expectSignedIn(false, "the person is shown as signed out")
        try await world.signIn()
        try await world.succeed("a call succeeds after signing in again")
    }
}
