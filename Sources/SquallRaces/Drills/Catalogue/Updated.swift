extension Drill {
    /// The app is updated, and finds tokens as its earlier version has kept them.
    public static let updated = Drill(
        "updated", "an update of the app",
        promise: "Whoever is signed in stays signed in when the app is updated.",
        source: "okta-mobile-swift #138, p2/OAuth2 #407",
        cure: """
            Read what earlier versions have written, under their names and in their form. Write \
            the new form before the old one is removed.
            """,
        needs: [.earlierVersion, .storage]
    ) { world in
        try await world.signInWithEarlierVersion()
        world.kill()
        world.say("the app is updated")
        try world.restart()
        try await world.succeed("a call after the update succeeds")
        try await world.expectSignedIn(true, "the person is still signed in")
        for _ in 1...2 {
            await world.tokenExpires()
            try await world.succeed("a call on an expired token succeeds")
            world.kill()
            try world.restart()
            try await world.succeed("a call after the next start succeeds")
        }
        world.need(world.far.refreshes > 0, "the client never refreshed")
    }.inOneOrder
}
